-- The data. Times are UTC as RFC 3339 with milliseconds; keys are SHA-256.

-- The server's secret, and the keys of its host.
create table setting (name text primary key, value blob not null) strict;
create table host (key blob primary key, at text not null) strict;

-- Tables for play.
create table sitting (
  id text primary key,
  at text not null,
  -- The address of the visitor who opened it; null for the host.
  opened_by text,
  format text not null,
  title text not null,
  -- The SHA-256 of the key of each seat and of spectators, as JSON.
  keys text not null,
  -- gathering, setup or game.
  stage text not null,
  rev integer not null,
  -- The secret choices of seats with their nonces, as JSON.
  sealed text not null default '{}',
  -- How it ended, as JSON; null while it goes on.
  ended text,
  -- The table of the next game.
  next text,
  -- The secret for the next games of the match, as JSON; null without a commitment.
  secret text,
  -- The decks so far, then the match file with all hidden cards. It is long and therefore the last
  -- column: queries that list tables do not read it.
  file text not null
) strict;
create index sitting_open on sitting (opened_by) where opened_by is not null and ended is null;

pragma user_version = 4;
