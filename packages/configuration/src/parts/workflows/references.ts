import { arrayLiteral, isUuid, type Queryable } from "@rowhouse/db";
import type { Fault } from "@rowhouse/errors";
import type { Document } from "../../model/document.ts";
import { fileSteps, type Names, userOf } from "./definition-names.ts";

interface Person {
  readonly id: string;
  readonly email: string;
  readonly active: boolean;
}

/** The users and folders to which definitions refer, by id or by name. */
export class References {
  readonly #people: ReadonlyMap<string, Person>;
  readonly #folders: ReadonlyMap<string, string>;

  private constructor(people: ReadonlyMap<string, Person>, folders: ReadonlyMap<string, string>) {
    this.#people = people;
    this.#folders = folders;
  }

  /** Reads what the definitions refer to, with at most two statements. */
  static async of(database: Queryable, definitions: readonly unknown[]): Promise<References> {
    const users = definitions.flatMap((one) => userOf(one) ?? []);
    const folders = definitions.flatMap((one) =>
      [...fileSteps(one)].flatMap(({ step }) =>
        [step.folderId, step.folder].filter((text) => typeof text === "string"),
      ),
    );
    return new References(await loadPeople(database, users), await loadFolders(database, folders));
  }

  /** The names of ids. An id of nothing has none. */
  readonly names: Names = {
    user: (id) => this.#people.get(id.toLowerCase())?.email,
    folder: (id) => this.#folders.get(id.toLowerCase()),
  };
  /** The ids of names. */
  readonly ids: Names = {
    user: (address) => this.#people.get(address.toLowerCase())?.id,
    folder: (path) => this.#folders.get(path),
  };
  /** Addresses as their users write them. */
  readonly addresses: Names = {
    user: (address) => this.#people.get(address.toLowerCase())?.email,
    folder: () => undefined,
  };

  /** Returns the faults of a definition that refers to what does not exist. */
  faultsOf(document: Document, key: string, definition: unknown): Fault[] {
    const faults: Fault[] = [];
    const user = userOf(definition);
    if (user !== undefined && this.#people.get(user.toLowerCase())?.active !== true) {
      const message = `There is no active user with the address ${user}`;
      faults.push(document.faultAt([key, "trigger", "executeAs"], message));
    }
    for (const { step, place } of fileSteps(definition)) {
      const { folder, folderId } = step;
      if (typeof folder === "string" && !this.#folders.has(folder)) {
        const message = `There is no folder ${folder}`;
        faults.push(document.faultAt([key, ...place, "folder"], message));
      }
      if (typeof folderId === "string" && isUuid(folderId)) {
        const message = "A document names a folder by its path: folder: Invoices/2026";
        faults.push(document.faultAt([key, ...place, "folderId"], message));
      }
    }
    return faults;
  }
}

/** Returns users by id and by address, both in lower case. */
async function loadPeople(
  database: Queryable,
  users: readonly string[],
): Promise<Map<string, Person>> {
  if (users.length === 0) return new Map();
  const rows = await database.query<Person>(
    "select id, email, active from system.users where id = any ($1::uuid[]) or system.fold(email) = any ($2::text[])",
    [
      arrayLiteral(users.filter((user) => isUuid(user))),
      arrayLiteral(users.map((user) => user.toLowerCase())),
    ],
  );
  return new Map(
    rows.flatMap((person) => [
      [person.id, person],
      [person.email.toLowerCase(), person],
    ]),
  );
}

/** Returns the paths of folders by id, and their ids by path. */
async function loadFolders(
  database: Queryable,
  folders: readonly string[],
): Promise<Map<string, string>> {
  if (folders.length === 0) return new Map();
  const rows = await database.query<{ id: string; path: string }>(
    `with recursive f (id, path) as (
       select id, name from system.folders where parent_id is null
       union all select c.id, f.path || '/' || c.name from f join system.folders c on c.parent_id = f.id)
     select id, path from f where id = any ($1::uuid[]) or path = any ($2::text[])`,
    [arrayLiteral(folders.filter((folder) => isUuid(folder))), arrayLiteral(folders)],
  );
  return new Map(
    rows.flatMap(({ id, path }) => [
      [id, path],
      [path, id],
    ]),
  );
}
