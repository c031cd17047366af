import { describe, expect, it } from "vitest";
import { createCatalogue } from "../src/catalogue/catalogue.ts";

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Tables by the columns of the foreign keys to their column `id`, which a comma separates. */
  readonly keys?: readonly (readonly [string, string])[];
  /** Names of relations that an administrator has given, by column. */
  readonly given?: Readonly<Record<string, string>>;
}

const integer = { name: "integer", base: "integer", category: "b", array: false, domain: false };

/** Returns the names of a table's relations, each with its target, and the ambiguous names with their choices. */
function namesOf(table: string, ...tables: Table[]): Record<string, string> {
  const numbered = [{ name: "people", columns: ["id", "id2"] }, ...tables];
  const oidOf = (name: string) => 1 + numbered.findIndex((it) => it.name === name);
  const rows = numbered.map(({ name, columns, keys = [] }: Table) => ({
    facts: null,
    relation: JSON.stringify({
      ...{ oid: oidOf(name), schema: "public", name, kind: "r", comment: null, query: null },
      ...{
        resource_id: name,
        resource_kind: "TABLE",
        inherited: false,
        row_security: null,
        fingerprint: null,
        barred: [],
      },
      columns: columns.map((column, index) => ({ number: index + 1, name: column, type: 23 })),
      constraints: keys.map(([own, target], index) => ({
        ...{ name: `key${index + 1}`, type: "f", columns: own.split(","), period: false },
        ...{ target: oidOf(target), target_columns: ["id", "id2"].slice(0, own.split(",").length) },
      })),
    }),
  }));
  const exposures = new Map(
    numbered.map(({ name, columns, given = {} }: Table) => [
      name,
      {
        ...{ exposedMethods: [], label: null, description: null, history: false, junction: false },
        relationNames: Object.fromEntries(
          Object.entries(given).map(([column, to]) => [String(columns.indexOf(column) + 1), to]),
        ),
      },
    ]),
  );
  const facts = { prepares: false, everywhere: false, types: { 23: integer }, links: {} };
  const catalogue = createCatalogue(
    [{ facts: JSON.stringify(facts), relation: null }, ...rows],
    exposures,
  );
  const relation = catalogue.relationByName("public", table);
  if (relation === undefined) throw new RangeError(`No table ${table}`);
  const { byName, ambiguous } = catalogue.edgesOf(relation);
  return Object.fromEntries([
    ...Array.from(byName, ([name, edge]) => [name, edge.target.name]),
    ...Array.from(ambiguous, ([name, edges]) => [
      `${name}?`,
      edges.map((edge) => edge.name).join(),
    ]),
  ]);
}

const trips = {
  name: "trips",
  columns: ["id", "driver_id", "owner"],
  keys: [
    ["driver_id", "people"],
    ["owner", "people"],
  ],
} as const;

describe("the name that an administrator gives to a relation", () => {
  it("takes the place of the column's name, and the other direction keeps its suffix", () => {
    expect(namesOf("trips", trips)).toEqual({ driver: "people", owner: "people" });
    const named = { ...trips, given: { driver_id: "pilot", owner: "holder" } };
    expect(namesOf("trips", named)).toEqual({ pilot: "people", holder: "people" });
    const inverse = { "trips?": "trips_by_driver,trips_by_owner" };
    expect(namesOf("people", trips)).toMatchObject(inverse);
    expect(namesOf("people", named)).toEqual(namesOf("people", trips));
  });

  it("frees the default name for another relation", () => {
    const driver = { name: "driver", columns: ["id", "trip"], keys: [["trip", "trips"]] } as const;
    expect(namesOf("trips", trips, driver)).toEqual({
      ...{ driver_by_driver: "people", driver_by_trip: "driver", owner: "people" },
      "driver?": "driver_by_trip,driver_by_driver",
    });
    expect(namesOf("trips", { ...trips, given: { driver_id: "pilot" } }, driver)).toEqual({
      ...{ driver: "driver", owner: "people", pilot: "people" },
    });
    expect(namesOf("trips", { ...trips, given: { driver_id: "pilot", owner: "driver" } })).toEqual({
      pilot: "people",
      driver: "people",
    });
  });

  it("gives way to a column, another relation and the same name of another column", () => {
    const column = { ...trips, columns: [...trips.columns, "pilot"] };
    const given = { driver_id: "pilot" };
    expect(namesOf("trips", { ...column, given })).toEqual(namesOf("trips", trips));
    const pilot = { name: "pilot", columns: ["id", "trip"], keys: [["trip", "trips"]] } as const;
    expect(namesOf("trips", { ...trips, given }, pilot)).toEqual({
      ...{ driver: "people", owner: "people", pilot_by_trip: "pilot" },
      "pilot?": "pilot_by_trip",
    });
    const same = { ...trips, given: { driver_id: "pilot", owner: "pilot" } };
    expect(namesOf("trips", same)).toEqual(namesOf("trips", trips));
    const suffixed = { ...trips, given: { driver_id: "pilot_by_trip" } };
    const second = {
      ...pilot,
      columns: ["id", "trip", "next"],
      keys: [...pilot.keys, ["next", "trips"]],
    } as const;
    expect(namesOf("trips", suffixed, second)).toMatchObject({
      ...{ driver: "people", pilot_by_trip: "pilot", pilot_by_next: "pilot" },
    });
  });

  it("never passes to another relation when it is lost", () => {
    const firms = { name: "firms", columns: ["id"] };
    const swapped = {
      name: "cars",
      columns: ["id", "driver_id", "owner_id"],
      keys: [["driver_id", "people"] as const, ["owner_id", "firms"] as const],
      given: { driver_id: "owner", owner_id: "driver" },
    };
    expect(namesOf("cars", swapped, firms)).toEqual({ owner: "people", driver: "firms" });
    const later = { ...swapped, columns: [...swapped.columns, "driver"] };
    expect(namesOf("cars", later, firms)).toEqual({
      ...{ driver_by_driver: "people", owner_by_owner: "firms" },
      ...{ "driver?": "driver_by_driver", "owner?": "owner_by_owner" },
    });
  });

  it("has no effect on a key of several columns, and for a column with several keys", () => {
    const given = { driver_id: "pilot" };
    const pair = { ...trips, keys: [["driver_id,owner", "people"]], given } as const;
    expect(namesOf("trips", pair)).toEqual({ people: "people" });
    const twice = { ...trips, keys: [...trips.keys, ["driver_id", "trips"]], given } as const;
    expect(namesOf("trips", twice)).toEqual(namesOf("trips", { ...twice, given: {} }));
  });
});
