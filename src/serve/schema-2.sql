-- Version 2: tables that people play at.
begin;

create table sitting (
  id text primary key,
  at text not null,
  format text not null,
  title text not null,
  -- Of each place at the table the SHA-256 of its key, as JSON.
  keys text not null,
  -- The match file, and once it is ready the play file: the judge's copy.
  file text not null,
  rev integer not null,
  -- What opens the secret choices of seats, as JSON.
  sealed text not null,
  -- How it ended; null while it goes on.
  ended text
) strict;

pragma user_version = 2;
commit;
