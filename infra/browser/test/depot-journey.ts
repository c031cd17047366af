import type { Locator, Page } from "playwright-core";
import { beforeAll } from "vitest";
import type { DepotResource } from "../src/data-rows.ts";
import { depotPath, openRows, prepareDepotPerson } from "../src/data-screens.ts";
import type { BrowserService } from "../src/service.ts";
import { type Journey, prepareJourney } from "./journey.ts";

/** What the tests of rows share: the tables of the depot, and a person who may do everything with them. */
export interface DepotJourney {
  readonly journey: Journey;
  readonly session: string;
  readonly resources: readonly DepotResource[];
  query<Row>(text: string): Promise<Row[]>;
  /** Creates more tables in the schema `depot`, with which the person may do everything. */
  addTables(statements: string, ...names: readonly string[]): Promise<void>;
  /** Opens the rows of a table or view in a page of their own. */
  open(name: string, search?: string, kind?: "table" | "view"): Promise<Page>;
}

/** Starts the service with the depot for the tests of a file. */
export function prepareDepotJourney(): DepotJourney {
  const journey = prepareJourney();
  let session = "";
  let resources: readonly DepotResource[] = [];
  beforeAll(async () => {
    ({ session, resources } = await prepareDepotPerson(journey.service));
  });
  return {
    journey,
    get session() {
      return session;
    },
    get resources() {
      return resources;
    },
    query: async <Row>(text: string) => (await journey.service.test.database.query(text)) as Row[],
    addTables: async (statements, ...names) => {
      const { service } = journey;
      await service.test.database.query(statements);
      const [role] = (await service.administer("GET", "/roles?search=Depot")) as { id: string }[];
      const all = (await service.administer("GET", "/resources?schema=depot&limit=100")) as {
        readonly id: string;
        readonly name: string;
      }[];
      for (const { id } of all.filter(({ name }) => names.includes(name))) {
        await exposeTo(service, role?.id ?? "", id);
      }
    },
    open: async (name, search = "", kind = "table") => {
      const { page } = await journey.open();
      await openRows(page, session, `${depotPath(name, kind)}${search}`);
      return page;
    },
  };
}

async function exposeTo(
  service: BrowserService,
  roleId: string,
  resourceId: string,
): Promise<void> {
  const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
  await service.administer("PATCH", `/resources/${resourceId}`, { exposedMethods });
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"]) {
    await service.administer("POST", "/grants", { roleId, resourceId, action, fields: null });
  }
}

/** A cell of the grid by its position. */
export function cell(page: Page, row: number, column: number): Locator {
  return page.locator(`[data-row="${row}"] [data-column="${column}"]`);
}

/** The position of a column by its title. */
export async function columnOf(page: Page, title: string): Promise<number> {
  const head = page.getByRole("columnheader", { name: title });
  return Number(await head.getAttribute("data-column"));
}

/** Types a new text into a cell, and goes on to the cell below. */
export async function typeInto(page: Page, place: Locator, text: string): Promise<void> {
  await place.dblclick();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Waits until an edit is written. */
export function saved(page: Page): Promise<void> {
  return page.getByText("Undo").waitFor();
}

/** Takes the last edit of the grid back by the keyboard, without waiting. */
export async function undo(page: Page): Promise<void> {
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+z");
}
