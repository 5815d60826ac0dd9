-- The data. Times are UTC as RFC 3339 with milliseconds; keys are SHA-256.

-- The server's own: its secret, and the keys of whoever runs it.
create table setting (name text primary key, value blob not null) strict;
create table host (key blob primary key, at text not null) strict;

-- Tables that people play at.
create table sitting (
  id text primary key,
  at text not null,
  -- The address of the visitor who opened it; null: whoever runs the server.
  opened_by text,
  format text not null,
  title text not null,
  -- Of each place at the table the SHA-256 of its key, as JSON.
  keys text not null,
  -- What it is at: gathering, setup or game.
  stage text not null,
  rev integer not null,
  -- What opens the secret choices of seats, as JSON.
  sealed text not null default '{}',
  -- How it ended, as JSON; null while it goes on.
  ended text,
  -- The table of the next game.
  next text,
  -- As JSON, what the next games of the match are dealt from; null where they follow from nothing that
  -- was shown before.
  secret text,
  -- What is gathered; then the match file: the judge's copy. It is
  -- long, and so stands last: what lists tables does not read it.
  file text not null
) strict;
create index sitting_open on sitting (opened_by) where opened_by is not null and ended is null;

pragma user_version = 4;
