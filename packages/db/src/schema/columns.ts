import { customType, timestamp } from "drizzle-orm/pg-core";

/** Bytes in PostgreSQL's hexadecimal text form. */
export const bytea = customType<{ data: string }>({ dataType: () => "bytea" });

export const oid = customType<{ data: number }>({ dataType: () => "oid" });

/** The driver parses JSON. Drizzle's own types would parse a JSON text a second time. */
const written = { toDriver: (value: unknown) => JSON.stringify(value) };
export const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "json",
  ...written,
});
export const jsonb = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  ...written,
});

/** A timestamp in PostgreSQL's text form, in UTC, with microseconds. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
