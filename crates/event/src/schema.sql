-- Everything that happened at an event, in its order. What is known of persons, and their decks,
-- stand apart from the rest, so that they can be removed at a person's wish.
begin;
create table record (
  number integer primary key,
  at text not null,
  who text not null,
  -- What came by one form is carried out once.
  form text unique,
  fact text not null,
  personal text,
  deck blob
) strict;
pragma user_version = 3;
commit;
