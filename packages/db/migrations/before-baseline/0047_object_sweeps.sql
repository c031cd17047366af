-- The search for objects that no row names: where it stands for each prefix, and when the next turn is due. A worker
-- takes a turn by moving its time, so that one worker at a time searches.
create table system.object_sweeps (
  prefix text primary key,
  -- The last key that was searched.
  position text not null default '',
  due_at timestamptz not null default now()
);
insert into system.object_sweeps (prefix) values ('objects/'), ('segments/');
