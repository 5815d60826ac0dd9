-- The moves of tables since their files were written, so that a move writes itself alone. Data of
-- before has none.
create table if not exists sitting_move (
  sitting text not null,
  -- Its place among all moves of the match, from 0.
  number integer not null,
  -- The move as JSON.
  move text not null,
  primary key (sitting, number)
) strict, without rowid;
create trigger if not exists sitting_gone after delete on sitting begin
  delete from sitting_move where sitting = old.id;
end;
