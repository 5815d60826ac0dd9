-- Everything that happened at an event, in its order. What is known of persons, and their decks,
-- stand apart from the rest, so that they can be removed and the chain still holds.
begin;
create table setting (name text primary key, value blob not null) strict;
create table record (
  number integer primary key,
  at text not null,
  who text not null,
  -- What came by one form is carried out once.
  form text unique,
  fact text not null,
  -- Removed together, at a person's wish.
  personal text,
  deck blob,
  salt blob,
  sealed text not null,
  previous text not null,
  digest text not null
) strict;
create trigger record_stays before update on record
  when old.number <> new.number or old.at <> new.at or old.who <> new.who
    or old.form is not new.form or old.fact <> new.fact
    or old.sealed <> new.sealed or old.previous <> new.previous or old.digest <> new.digest
    or new.personal is not null or new.deck is not null or new.salt is not null
  begin select raise(abort, 'what happened is never changed'); end;
create trigger record_remains before delete on record
  begin select raise(abort, 'what happened is never deleted'); end;
-- For whoever looks into this file with another program.
create view player as select json_extract(fact, '$.player') as id,
  json_extract(personal, '$.name') as name, json_extract(fact, '$.expected') as expected, at
  from record where json_extract(fact, '$.what') = 'player';
create view entry as select json_extract(fact, '$.entry') as id,
  json_extract(fact, '$.source') as source, json_extract(fact, '$.row') as row,
  json_extract(fact, '$.at') as handed_in, json_extract(personal, '$.name') as name,
  cast(deck as text) as deck
  from record where json_extract(fact, '$.what') = 'entry';
create view decision as select json_extract(fact, '$.decision') as decision, fact, who, at,
  json_extract(personal, '$.words') as why
  from record where json_extract(fact, '$.what') = 'decided';
pragma user_version = 2;
commit;
