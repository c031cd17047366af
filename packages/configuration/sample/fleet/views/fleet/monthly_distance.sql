SELECT date_trunc('month'::text, t.started_at, 'UTC'::text)::date AS month,
    v.make,
    count(*) AS trips,
    sum(t.distance_km) AS distance_km
   FROM fleet.trips t
     JOIN fleet.vehicles v ON v.id = t.vehicle_id
  GROUP BY (date_trunc('month'::text, t.started_at, 'UTC'::text)::date), v.make
