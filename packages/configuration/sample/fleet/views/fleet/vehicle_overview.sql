SELECT v.id,
    v.plate,
    v.make,
    v.model,
    v.status,
    d.name AS driver,
    count(t.id) AS trips,
    COALESCE(sum(t.distance_km), 0::numeric) AS distance_km,
    max(t.started_at) AS last_trip_at
   FROM fleet.vehicles v
     LEFT JOIN fleet.drivers d ON d.id = v.driver_id
     LEFT JOIN fleet.trips t ON t.vehicle_id = v.id
  GROUP BY v.id, d.name
