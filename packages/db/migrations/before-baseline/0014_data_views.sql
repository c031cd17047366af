-- DataViews and dashboards: saved readings, and who may open them. They give no right: what they show is read with the
-- rights of whoever opens them. Definitions are `json`, not `jsonb`, so that the digits of a number stay.
create table system.data_views (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 1000),
  -- By identity: a replaced view keeps its DataViews; a dropped resource takes them along.
  resource_id uuid not null references system.resources (id) on delete cascade,
  definition json not null,
  presentation json not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index data_views_resource on system.data_views (resource_id);
create index data_views_name on system.data_views (lower(name), id);

create table system.data_view_roles (
  data_view_id uuid not null references system.data_views (id) on delete cascade,
  role_id uuid not null references system.roles (id) on delete cascade,
  primary key (data_view_id, role_id)
);
create index data_view_roles_role on system.data_view_roles (role_id);

create table system.dashboards (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index dashboards_name on system.dashboards (lower(name), id);

create table system.dashboard_roles (
  dashboard_id uuid not null references system.dashboards (id) on delete cascade,
  role_id uuid not null references system.roles (id) on delete cascade,
  primary key (dashboard_id, role_id)
);
create index dashboard_roles_role on system.dashboard_roles (role_id);

create table system.dashboard_panels (
  dashboard_id uuid not null references system.dashboards (id) on delete cascade,
  id text not null check (id ~ '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$'),
  position smallint not null,
  title text not null default '' check (length(title) <= 200),
  kind text not null check (kind in ('LIST', 'FIGURE', 'CHART')),
  -- Null once the resource is gone: the panel stays to be mended.
  resource_id uuid references system.resources (id) on delete set null,
  definition json not null,
  presentation json not null default '{}',
  primary key (dashboard_id, id)
);
create index dashboard_panels_resource on system.dashboard_panels (resource_id);
