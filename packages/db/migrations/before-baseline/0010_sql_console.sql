-- Runs of the SQL console that are under way, so that any process can end them and all of them together keep to a
-- number. Losing them in a crash costs nothing.
create unlogged table system.sql_console_runs (
  id uuid primary key,
  user_id uuid not null references system.users (id) on delete cascade,
  -- The backend that runs it: its number and its start, because numbers come again. Null until it is there.
  backend_pid integer,
  backend_start text,
  started_at timestamptz not null default now(),
  ends_at timestamptz not null,
  cancelled_at timestamptz
);
create index sql_console_runs_user on system.sql_console_runs (user_id);
