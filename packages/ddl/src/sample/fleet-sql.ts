/** The sample: a vehicle fleet in the schema `fleet`, with the same rows on every machine, made by arithmetic alone. */
export const fleetSql = `create schema fleet;
comment on schema fleet is 'Sample: a vehicle fleet';

create type fleet.vehicle_status as enum ('AVAILABLE', 'ON_TRIP', 'IN_WORKSHOP', 'RETIRED');

create table fleet.drivers (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  license_class text not null constraint drivers_license_class_check check (license_class in ('B', 'C', 'CE', 'D')),
  phone text,
  hired_on date not null,
  active boolean not null default true
);
comment on table fleet.drivers is 'People who drive';

create table fleet.vehicles (
  id bigint generated always as identity primary key,
  plate text not null unique
    constraint vehicles_plate_check check (plate ~ '^[A-Z]{2}-[0-9]{3}-[A-Z]{2}$'),
  make text not null,
  model text not null,
  built integer not null constraint vehicles_built_check check (built between 1990 and 2100),
  status fleet.vehicle_status not null default 'AVAILABLE',
  driver_id uuid references fleet.drivers (id) on delete set null,
  odometer_km numeric(10, 1) not null default 0,
  price numeric(12, 2) not null,
  equipment text[] not null default '{}',
  specification jsonb not null default '{}',
  created_at timestamptz not null default now()
);
comment on table fleet.vehicles is 'Cars, vans and trucks';
comment on column fleet.vehicles.plate is 'Licence plate, as AB-123-CD';
comment on constraint vehicles_plate_check on fleet.vehicles is 'checkMessage: A plate looks like AB-123-CD';

create table fleet.trips (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references fleet.vehicles (id) on delete restrict,
  driver_id uuid not null references fleet.drivers (id) on delete restrict,
  started_at timestamptz not null,
  ended_at timestamptz,
  distance_km numeric(8, 1) not null,
  purpose text not null,
  destination text not null,
  constraint trips_ended_at_check check (ended_at is null or ended_at > started_at)
);
comment on constraint trips_ended_at_check on fleet.trips is 'checkMessage: A trip ends after it has started';
create index trips_vehicle_id_idx on fleet.trips (vehicle_id);
create index trips_driver_id_idx on fleet.trips (driver_id);
create index trips_started_at_idx on fleet.trips (started_at);

create table fleet.maintenance (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references fleet.vehicles (id) on delete cascade,
  kind text not null,
  performed_on date not null,
  cost numeric(10, 2) not null constraint maintenance_cost_check check (cost >= 0),
  notes text
);
create index maintenance_vehicle_id_idx on fleet.maintenance (vehicle_id);

insert into fleet.drivers (id, name, email, license_class, phone, hired_on, active)
select md5('driver ' || i)::uuid,
       first || ' ' || last,
       lower(first || '.' || last || i || '@example.com'),
       (array['B', 'B', 'B', 'C', 'CE', 'D'])[1 + i * 5 % 6],
       case when i % 7 = 0 then null else '+1 555 01' || lpad(i::text, 2, '0') end,
       date '2012-01-01' + (i * 97 % 4300),
       i % 11 <> 0
from generate_series(1, 80) i,
     lateral (select (array['Ada', 'Bo', 'Chen', 'Dana', 'Eva', 'Femi', 'Gil', 'Hana', 'Ivo', 'Jun'])[1 + i % 10] as first,
                     (array['Adler', 'Brook', 'Costa', 'Dahl', 'Ekdal', 'Falk', 'Grün', 'Holm'])[1 + i / 10 % 8] as last) n;

insert into fleet.vehicles (plate, make, model, built, status, driver_id, odometer_km, price, equipment, specification, created_at)
select chr(65 + i * 3 % 26) || chr(65 + i * 7 % 26) || '-' || lpad((100 + i)::text, 3, '0') || '-'
         || chr(65 + i * 11 % 26) || chr(65 + i * 5 % 26),
       make, model, 2014 + i * 13 % 11,
       (array['AVAILABLE', 'AVAILABLE', 'ON_TRIP', 'IN_WORKSHOP', 'AVAILABLE', 'RETIRED'])[1 + i * 7 % 6]::fleet.vehicle_status,
       case when i % 3 = 0 then null else md5('driver ' || 1 + i * 17 % 80)::uuid end,
       i * 7919 % 240000 + 0.5,
       18000 + i * 4243 % 61000 + 0.99,
       (array['GPS', 'Tow bar', 'Roof rack', 'Refrigeration', 'Tail lift'])[1 + i % 3 : 1 + i % 5],
       jsonb_build_object('seats', 2 + i % 7, 'fuel', (array['diesel', 'electric', 'hybrid'])[1 + i % 3],
                          'payloadKg', 400 + i * 37 % 2600),
       timestamptz '2023-01-01 08:00:00+00' + i * interval '31 hours'
from generate_series(1, 120) i,
     lateral (select (array['Volvo', 'Renault', 'Ford', 'Toyota', 'Iveco', 'Mercedes-Benz'])[1 + i % 6] as make,
                     (array['FH', 'Master', 'Transit', 'Proace', 'Daily', 'Sprinter'])[1 + i % 6] as model) n;

insert into fleet.trips (vehicle_id, driver_id, started_at, ended_at, distance_km, purpose, destination)
select 1 + i * 53 % 120,
       md5('driver ' || 1 + i * 29 % 80)::uuid,
       started_at,
       case when i > 3990 then null else started_at + (30 + i * 17 % 540) * interval '1 minute' end,
       5 + i * 191 % 6200 / 10.0,
       (array['Delivery', 'Pick-up', 'Service call', 'Transfer'])[1 + i % 4],
       (array['Lisbon', 'Ghent', 'Oslo', 'Turin', 'Łódź', 'Graz', 'Porto', 'Malmö'])[1 + i * 3 % 8]
from generate_series(1, 4000) i,
     lateral (select timestamptz '2025-01-01 05:30:00+00' + i * interval '131 minutes' as started_at) t;

insert into fleet.maintenance (vehicle_id, kind, performed_on, cost, notes)
select 1 + i * 31 % 120,
       (array['Inspection', 'Tyres', 'Brakes', 'Oil', 'Body work'])[1 + i * 7 % 5],
       date '2024-01-01' + i * 11 % 720,
       80 + i * 1733 % 240000 / 100.0,
       case when i % 4 = 0 then 'Check again after ' || 5 + i % 20 || ',000 km' end
from generate_series(1, 600) i;

create view fleet.vehicle_overview as
select v.id, v.plate, v.make, v.model, v.status, d.name as driver,
       count(t.id) as trips, coalesce(sum(t.distance_km), 0) as distance_km, max(t.started_at) as last_trip_at
from fleet.vehicles v
left join fleet.drivers d on d.id = v.driver_id
left join fleet.trips t on t.vehicle_id = v.id
group by v.id, d.name;
comment on view fleet.vehicle_overview is 'Each vehicle with its driver and what it was used for';

create materialized view fleet.monthly_distance as
select date_trunc('month', t.started_at, 'UTC')::date as month, v.make,
       count(*) as trips, sum(t.distance_km) as distance_km
from fleet.trips t join fleet.vehicles v on v.id = t.vehicle_id
group by 1, 2;
create unique index monthly_distance_key on fleet.monthly_distance (month, make);
`;
