import { createSnapshotStore } from "@rowhouse/db";
import { createTestDatabase, loadClinic, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proposedTitle } from "../src/titles/record-title.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** Creates tables in a schema of their own and returns the proposed title of each. */
async function titlesOf(schema: string, tables?: string): Promise<Record<string, string | null>> {
  const { database } = test;
  if (tables !== undefined) {
    await database.query(`create schema ${schema}`);
    await database.transaction(async (transaction) => {
      await transaction.query(`set local search_path = ${schema}`);
      await transaction.query(tables);
    });
  }
  const snapshot = await createSnapshotStore(database).fresh();
  const own = snapshot.catalogue.relations.filter((relation) => relation.schema === schema);
  return Object.fromEntries(
    own.map((relation) => [relation.name, proposedTitle(snapshot, relation)]),
  );
}

describe("the proposed title", () => {
  it("of a clinic names people, things with codes, and events by whom they concern", async () => {
    await loadClinic(test.database);
    expect(await titlesOf("clinic")).toEqual({
      allergy: "{code} {label}",
      appointment: "Appointment · {pat} · {starts}",
      appointment_item: "{appt} · {code}",
      invoice: "{number}",
      invoice_line: "{invoice} · {item}",
      lab_result: "{analyte} · {pat} · {taken_at}",
      patient: "{given} {family}",
      patient_allergy: "{pat} · {allergy}",
      room: "{site} · {no}",
      service_item: "{code} {name}",
      site: "{code} {name}",
      staff: "{given} {family}",
      staff_site: "{staff} · {site}",
      upcoming: "{given} {family}",
      vaccination: "Vaccination · {pat} · {given_on}",
      vaccine: "{code} {name}",
    });
  });

  it("of Northwind is no address, no job and no quantity", async () => {
    const found = await titlesOf(
      "northwind",
      `create table categories (category_id smallint primary key, category_name varchar(15) not null, description text, picture bytea);
      create table customers (customer_id varchar(5) primary key, company_name varchar(40) not null, contact_name varchar(30),
        contact_title varchar(30), address varchar(60), city varchar(15), region varchar(15), postal_code varchar(10), country varchar(15), phone varchar(24));
      create table employees (employee_id smallint primary key, last_name varchar(20) not null, first_name varchar(10) not null,
        title varchar(30), title_of_courtesy varchar(25), birth_date date, address varchar(60), notes text, reports_to smallint references employees);
      create table shippers (shipper_id smallint primary key, company_name varchar(40) not null, phone varchar(24));
      create table suppliers (supplier_id smallint primary key, company_name varchar(40) not null, contact_name varchar(30), address varchar(60));
      create table products (product_id smallint primary key, product_name varchar(40) not null, supplier_id smallint references suppliers,
        category_id smallint references categories, quantity_per_unit varchar(20), unit_price real);
      create table orders (order_id smallint primary key, customer_id varchar(5) references customers, employee_id smallint references employees,
        order_date date, required_date date, ship_via smallint references shippers, freight real, ship_name varchar(40), ship_address varchar(60),
        ship_city varchar(15), ship_country varchar(15));
      create table order_details (order_id smallint references orders, product_id smallint references products, unit_price real not null,
        quantity smallint not null, primary key (order_id, product_id));
      create table region (region_id smallint primary key, region_description varchar(60) not null);
      create table territories (territory_id varchar(20) primary key, territory_description varchar(60) not null, region_id smallint references region);
      create table employee_territories (employee_id smallint references employees, territory_id varchar(20) references territories, primary key (employee_id, territory_id));
      create table us_states (state_id smallint primary key, state_name varchar(100), state_abbr varchar(2), state_region varchar(50))`,
    );
    expect(found).toEqual({
      categories: "{category_name}",
      customers: "{company_name}",
      employees: "{first_name} {last_name}",
      shippers: "{company_name}",
      suppliers: "{company_name}",
      products: "{product_name}",
      orders: "Order · {customer_id} · {order_date}",
      order_details: "{order_id} · {product_id}",
      region: "{region_description}",
      territories: "{territory_description}",
      employee_territories: "{employee_id} · {territory_id}",
      us_states: "{state_name}",
    });
  });

  it("of Pagila and Chinook leads from a film, a track or a person", async () => {
    const pagila = await titlesOf(
      "pagila",
      `create table country (country_id int primary key, country text not null, last_update timestamptz not null);
      create table city (city_id int primary key, city text not null, country_id int not null references country);
      create table address (address_id int primary key, address text not null, address2 text, district text not null, city_id int not null references city, postal_code text, phone text not null);
      create table actor (actor_id int primary key, first_name text not null, last_name text not null, last_update timestamptz not null);
      create table language (language_id int primary key, name char(20) not null);
      create table film (film_id int primary key, title text not null, description text, language_id int not null references language, rating text);
      create table film_actor (actor_id int references actor, film_id int references film, last_update timestamptz not null, primary key (actor_id, film_id));
      create table store (store_id int primary key, manager_staff_id int not null, address_id int not null references address);
      create table staff (staff_id int primary key, first_name text not null, last_name text not null, address_id int not null references address, email text, store_id int not null references store, username text not null);
      alter table store add foreign key (manager_staff_id) references staff;
      create table customer (customer_id int primary key, store_id int not null references store, first_name text not null, last_name text not null, email text);
      create table inventory (inventory_id int primary key, film_id int not null references film, store_id int not null references store);
      create table rental (rental_id int primary key, rental_date timestamptz not null, inventory_id int not null references inventory,
        customer_id int not null references customer, return_date timestamptz, staff_id int not null references staff, last_update timestamptz not null);
      create table payment (payment_id int primary key, customer_id int not null references customer, staff_id int not null references staff,
        rental_id int not null references rental, amount numeric(5, 2) not null, payment_date timestamptz not null)`,
    );
    expect(pagila).toEqual({
      country: "{country}",
      city: "{city}",
      address: "{address}",
      actor: "{first_name} {last_name}",
      language: "{name}",
      film: "{title}",
      film_actor: "{actor_id} · {film_id}",
      staff: "{first_name} {last_name}",
      store: "Store · {manager_staff_id} · {address_id}",
      customer: "{first_name} {last_name}",
      inventory: "Inventory {inventory_id} · {film_id}",
      rental: "Rental · {customer_id} · {rental_date}",
      payment: "Payment · {customer_id} · {payment_date}",
    });
    const chinook = await titlesOf(
      "chinook",
      `create table "Artist" ("ArtistId" int primary key, "Name" varchar(120));
      create table "Album" ("AlbumId" int primary key, "Title" varchar(160) not null, "ArtistId" int not null references "Artist");
      create table "Employee" ("EmployeeId" int primary key, "LastName" varchar(20) not null, "FirstName" varchar(20) not null, "Title" varchar(30), "ReportsTo" int references "Employee", "Email" varchar(60));
      create table "Customer" ("CustomerId" int primary key, "FirstName" varchar(40) not null, "LastName" varchar(20) not null, "Company" varchar(80), "Address" varchar(70), "SupportRepId" int references "Employee");
      create table "Track" ("TrackId" int primary key, "Name" varchar(200) not null, "AlbumId" int references "Album", "Composer" varchar(220));
      create table "Invoice" ("InvoiceId" int primary key, "CustomerId" int not null references "Customer", "InvoiceDate" timestamp not null,
        "BillingAddress" varchar(70), "BillingCity" varchar(40), "Total" numeric(10, 2) not null);
      create table "InvoiceLine" ("InvoiceLineId" int primary key, "InvoiceId" int not null references "Invoice", "TrackId" int not null references "Track", "UnitPrice" numeric(10, 2) not null, "Quantity" int not null);
      create table "Playlist" ("PlaylistId" int primary key, "Name" varchar(120));
      create table "PlaylistTrack" ("PlaylistId" int references "Playlist", "TrackId" int references "Track", primary key ("PlaylistId", "TrackId"))`,
    );
    expect(chinook).toEqual({
      Artist: "{Name}",
      Album: "{Title}",
      Employee: "{FirstName} {LastName}",
      Customer: "{FirstName} {LastName}",
      Track: "{Name}",
      Invoice: "Invoice · {CustomerId} · {InvoiceDate}",
      InvoiceLine: "Invoice line {InvoiceLineId} · {TrackId}",
      Playlist: "{Name}",
      PlaylistTrack: "{PlaylistId} · {TrackId}",
    });
  });

  it("of German names is as good", async () => {
    const found = await titlesOf(
      "laden",
      `create table kunden (kundennr int primary key, anrede text, vorname text not null, nachname text not null, "straße" text, plz text, ort text);
      create table firmen (id int primary key, strasse text not null, firmenname text not null, telefon text);
      create table artikel (artikelnummer text primary key, einheit text not null, bezeichnung text not null, "währung" text);
      create table warengruppe (id int primary key, beschreibung text, warengruppe text not null);
      create table lieferanten (id int primary key, ort text not null, lieferantenname text);
      create table rechnung (rechnungsnr text primary key, kunde int not null references kunden, datum date not null, zustand text not null);
      create table termin (id int primary key, "Kunde" int not null references kunden, beginn timestamptz not null, angelegt_am timestamptz not null, bemerkung text not null);
      create table mitarbeiter (id int primary key, "mitarbeiterVorname" text not null, "mitarbeiterNachname" text not null, position text not null);
      create table ort (id int primary key, plz text not null, ort text not null);
      create table telefon (id int primary key, nummer text not null, kunde int not null references kunden)`,
    );
    expect(found).toEqual({
      kunden: "{vorname} {nachname}",
      firmen: "{firmenname}",
      artikel: "{artikelnummer} {bezeichnung}",
      warengruppe: "{warengruppe}",
      lieferanten: "{lieferantenname}",
      rechnung: "{rechnungsnr}",
      termin: "Termin · {Kunde} · {beginn}",
      mitarbeiter: "{mitarbeiterVorname} {mitarbeiterNachname}",
      ort: "{ort}",
      telefon: "{nummer}",
    });
  });

  it("of a table with nothing better is a text that says little, and without any text the key stays", async () => {
    const found = await titlesOf(
      "rest",
      `create table reading (id int primary key, value numeric not null);
      create table request (id int primary key, status text not null, email text not null);
      create table machine (id int primary key, unit text not null, serial text unique not null);
      create table log (id int primary key, kind text not null, message text not null);
      create table users (id int primary key, email text not null, last text not null, first text not null);
      create table cost_center (code text primary key, name text not null unique)`,
    );
    expect(found).toEqual({
      reading: null,
      request: "{email}",
      machine: "{serial}",
      log: "{message}",
      users: "{first} {last}",
      cost_center: "{name}",
    });
  });
});
