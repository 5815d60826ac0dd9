-- The data. Times are UTC as RFC 3339 with milliseconds; keys are SHA-256.
begin;

-- The server's own: its secret, the keys of decks whose link was made anew, and the keys of whoever
-- runs it.
create table setting (name text primary key, value blob not null) strict;
create table host (key blob primary key, at text not null) strict;

-- The decks of a browser (or of this machine), and every state that they were saved in.
create table draft (
  id text primary key,
  owner blob not null,
  format text not null,
  name text not null,
  rev integer not null,
  deck text not null,
  at text not null
) strict;
create index draft_owner on draft (owner, at);
create table draft_version (
  draft text not null references draft (id) on delete cascade,
  rev integer not null,
  deck text not null,
  note text not null,
  at text not null,
  primary key (draft, rev)
) strict;

-- What somebody owns of a game, by folded name, as JSON.
create table collection (
  owner blob not null,
  game text not null,
  cards text not null,
  at text not null,
  primary key (owner, game)
) strict;

-- Decks that a short code stands for.
create table shared (code text primary key, format text not null, deck text not null, at text not null) strict;

-- Tables that people play at.
create table sitting (
  id text primary key,
  at text not null,
  format text not null,
  title text not null,
  -- Of each place at the table the SHA-256 of its key, as JSON.
  keys text not null,
  -- The match file, and once it is ready the play file: the judge's copy. While shares are
  -- gathered, the match by the machine's own share.
  file text not null,
  rev integer not null,
  -- What opens the secret choices of seats, as JSON.
  sealed text not null,
  -- How it ended; null while it goes on.
  ended text,
  -- As JSON, what each seat committed to and has shown of its share; null where the seed is made
  -- by the machine alone.
  shares text,
  -- As JSON, of each seat the form of what it did last: sent again, it is not done again.
  done text not null default '{}',
  -- What was said, as JSON.
  said text not null default '{}'
) strict;

pragma user_version = 3;
commit;
