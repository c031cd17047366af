-- What a person saves for the pages: views of a resource, and preferences. Only their owner reads them.
create table system.saved_views (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references system.users (id) on delete cascade,
  resource_id uuid not null references system.resources (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  position integer not null check (position >= 0),
  definition json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_views_name unique (user_id, resource_id, name)
);
create index saved_views_resource on system.saved_views (resource_id);

create table system.preferences (
  user_id uuid primary key references system.users (id) on delete cascade,
  content json not null default '{}',
  updated_at timestamptz not null default now()
);
