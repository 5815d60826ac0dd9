-- Players, the decks as they came, and what organisers decided. Rows are added and never changed,
-- except that `forget` empties what is personal.
begin;
create table player (
  id integer primary key,
  name text not null,
  email text,
  listed integer not null,
  table_no text
) strict;
create table entry (
  id integer primary key,
  -- Null: an organiser is asked whose the deck is, for the reason in `question`.
  player integer references player (id),
  question text,
  -- The form or folder, or `desk`; and the row of the form.
  source text not null,
  row integer,
  -- When it was handed in, and when it was stored; RFC 3339 in UTC.
  at text,
  stored text not null,
  author text not null,
  name text,
  email text,
  format text,
  -- The time as the form wrote it.
  time text,
  file text,
  -- Why the file or cell could not be read.
  unreadable text,
  -- Other columns of the form, as JSON.
  extra text,
  deck blob not null,
  -- The key of the form or row: the same one is stored once.
  form text unique
) strict;
create table decision (
  id integer primary key,
  at text not null,
  author text not null,
  -- The words of `event decide`: `e012`, `is`, `p004`.
  target text not null,
  kind text not null,
  value text not null,
  why text,
  form text unique
) strict;
pragma user_version = 4;
commit;
