-- Dashboards: parameters that several panels share, the place of a panel on a grid of twelve columns, the fields that its
-- parameters filter, and two more kinds of panels. Panels from before have no place; the service computes one.
alter table system.dashboards add column parameters json not null default '[]';

-- contract: the check lists every kind that it listed before, and two more
alter table system.dashboard_panels
  add column layout json,
  add column bindings json not null default '[]',
  drop constraint dashboard_panels_kind_check,
  add constraint dashboard_panels_kind_check check (kind in ('LIST', 'FIGURE', 'CHART', 'PIVOT', 'TEXT'));
