import { setTimeout } from "node:timers/promises";
import {
  createRole,
  createToken,
  createUser,
  expose,
  startTestEnvironment,
  type TestEnvironment,
  type TestUser,
} from "@rowhouse/testing";
import { type Client, type ClientOptions, createClient } from "../src/index.ts";

/** A service with some tables of a garage, and an administrator. */
export type Garage = {
  readonly environment: TestEnvironment;
  readonly admin: TestUser;
  /** A personal access token of the administrator. */
  readonly token: string;
  /** Returns a client of the administrator's token. */
  client(options?: Partial<ClientOptions>): Client;
};

/** The resources of the garage, in the form of a generated file. */
export interface Resources {
  "garage.cars": {
    Kind: "table";
    Row: {
      id: string;
      plate: string;
      price: string | null;
      seats: number;
      owner_id: number | null;
      notes: unknown;
    };
    New: {
      plate: string;
      price?: string | number;
      seats?: number;
      owner_id?: number | null;
      notes?: unknown;
    };
    Change: { plate?: string; price?: string | number | null; seats?: number; notes?: unknown };
    Exact: "id" | "price";
    Key: string | number | bigint;
    Relations: { owner: ["one", "garage.owners"]; services: ["many", "garage.services"] };
  };
  "garage.owners": {
    Kind: "table";
    Row: { id: number; name: string; city: string | null };
    New: { id: number; name: string; city?: string | null };
    Change: { name?: string; city?: string | null };
    Exact: never;
    Key: number;
    Relations: { cars: ["many", "garage.cars"] };
  };
  "garage.services": {
    Kind: "table";
    Row: { car_id: string; number: number; done_on: string };
    New: { car_id: string; number: number; done_on: string };
    Change: never;
    Exact: "car_id";
    Key: [string | number | bigint, number];
    Relations: { car: ["one", "garage.cars"] };
  };
  "garage.prices": {
    Kind: "view";
    Row: { plate: string | null; price: string | null };
    New: never;
    Change: never;
    Exact: "price";
    Key: never;
    Relations: Record<never, never>;
  };
}

const tables = [
  "create schema garage",
  "create table garage.owners (id int primary key, name text not null, city text)",
  `create table garage.cars (id bigint generated always as identity primary key, plate text not null unique,
     price numeric(12,2), seats int not null default 4, owner_id int references garage.owners, notes jsonb,
     constraint seats_exist check (seats > 0))`,
  `create table garage.services (car_id bigint references garage.cars, number int, done_on date not null,
     primary key (car_id, number))`,
  "create table garage.log (line text not null)",
  'create table garage."a.b "" ? #/%2F" ("a,b" int primary key, "-x" text)',
  'create table garage."قائمة" (id text primary key)',
  "create view garage.prices as select plate, price from garage.cars",
  "insert into garage.owners values (1, 'Ada', 'Oslo'), (2, 'Grace', null)",
  `insert into garage.cars (plate, price, owner_id) select 'P-' || lpad(n::text, 4, '0'), n, 1 + n % 2
     from generate_series(1, 120) n`,
  "insert into garage.services select id, 1, '2026-01-01' from garage.cars where id <= 3",
  "insert into garage.log select 'line ' || n from generate_series(1, 60) n",
];

const exposed = ["owners", "cars", "services", "log", 'a.b " ? #/%2F', "قائمة"];

/** Starts the service and creates the tables. */
export async function startGarage(): Promise<Garage> {
  const environment = await startTestEnvironment();
  const { database } = environment.test;
  for (const statement of tables) await database.query(statement);
  for (const name of exposed) {
    await expose(database, "garage", name, "GET", "POST", "PATCH", "DELETE");
  }
  await expose(database, "garage", "prices", "GET");
  await createRole(database, "Drivers");
  const admin = await createUser(database, "ada@example.com", "Administrators");
  const { secret: token } = await createToken(database, admin.id, "api");
  return {
    environment,
    admin,
    token,
    client: (options = {}) => createClient({ url: environment.url, token, ...options }),
  };
}

/** Returns the rejections that nobody handles during an action and the turns of the event loop after it. */
export async function unhandledWhile(action: () => Promise<unknown>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    await action();
    await setTimeout(20);
  } finally {
    process.off("unhandledRejection", note);
  }
  return unhandled;
}

/** Returns the error that a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("The promise was fulfilled");
}
