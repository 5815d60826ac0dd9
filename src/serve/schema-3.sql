-- Version 3: a seed that those at a table make together.
begin;

-- As JSON, what each seat committed to and has shown of its share; null where the seed is made by
-- the machine alone. While shares are gathered, `file` is the match by the machine's own share.
alter table sitting add column shares text;

pragma user_version = 3;
commit;
