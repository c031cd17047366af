-- The rows of the sample: the same on every machine, made by arithmetic alone.
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

refresh materialized view fleet.monthly_distance;
