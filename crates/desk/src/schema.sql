-- The data. Times are UTC as RFC 3339 with milliseconds; keys are SHA-256.
begin;

-- The server's own: its secret, and the keys of whoever runs it.
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

-- An event; what changes of it is in `audit` too.
create table event (
  id text primary key,
  at text not null,
  title text not null,
  format text not null,
  terms text not null,
  deadline text,
  late text not null check (late in ('refuse', 'mark')),
  key blob not null,
  closed integer not null default 0,
  published integer not null default 0
) strict;

create table player (
  id integer primary key,
  event text not null references event (id),
  name text not null,
  folded text not null,
  key blob,
  locked integer not null default 0,
  expected integer not null default 0,
  unique (event, folded)
) strict;

-- What was handed in: never changed, never deleted.
create table version (
  id integer primary key,
  event text not null references event (id),
  player integer not null references player (id),
  number integer not null,
  at text not null,
  late integer not null,
  who text not null,
  input text not null,
  bytes blob not null,
  deck text not null,
  hash text,
  unique (player, number)
) strict;
create trigger version_stays before update on version
  begin select raise(abort, 'a deck that was handed in is never changed'); end;
create trigger version_remains before delete on version
  begin select raise(abort, 'a deck that was handed in is never deleted'); end;

-- What was said of it, and by which rules; a new list makes a new judgement.
create table judgement (
  id integer primary key,
  version integer not null references version (id),
  at text not null,
  verdict text not null,
  report text not null,
  rules text
) strict;
create index judgement_version on judgement (version, id);
create trigger judgement_stays before update on judgement
  begin select raise(abort, 'a verdict that was given is never changed'); end;
create trigger judgement_remains before delete on judgement
  begin select raise(abort, 'a verdict that was given is never deleted'); end;

-- Who did what, each entry with the digest of the one before it.
create table audit (
  event text not null references event (id),
  number integer not null,
  at text not null,
  who text not null,
  what text not null,
  detail text not null,
  previous text not null,
  digest text not null,
  primary key (event, number)
) strict;
create trigger audit_stays before update on audit
  begin select raise(abort, 'what was done is never changed'); end;
create trigger audit_remains before delete on audit
  begin select raise(abort, 'what was done is never deleted'); end;

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
  shares text
) strict;

pragma user_version = 1;
commit;
