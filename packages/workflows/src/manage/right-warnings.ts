import type { Catalogue, Method, Relation } from "@rowhouse/db";
import { createFault, escapePointer, type Fault } from "@rowhouse/errors";
import type { Definition, Step } from "../definition/definition.ts";
import { walkSteps } from "../definition/parse-definition.ts";

type Action = "READ" | "CREATE" | "UPDATE" | "DELETE";

/** What a user may do with the rows of a relation. */
export interface TableRight {
  readonly action: Action;
  readonly isGranted: boolean;
  /** The fields that the action covers. */
  readonly fields: readonly { readonly name: string }[];
}

/** Returns the rights of one user on a relation. */
export type RightsOnTable = (relation: Relation) => readonly TableRight[];

/** What a step needs: the relation, the action, and the fields that it writes. */
interface Need {
  readonly schema: string;
  readonly table: string;
  readonly action: Action;
  /** The position of the table in the step. */
  readonly pointer: readonly string[];
  readonly written: readonly string[];
}

const methods: Readonly<Record<Action, Method>> = {
  READ: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};
const rowActions = {
  listRows: "READ",
  getRow: "READ",
  createRow: "CREATE",
  updateRows: "UPDATE",
  deleteRows: "DELETE",
} as const;

/**
 * Returns the steps that would find no table, because it is not exposed, or whose user lacks a permission, with pointers
 * into the definition.
 *
 * @param rightsOn the rights of the user that runs execute as; undefined if it is not known
 */
export function findRightWarnings(
  catalogue: Catalogue,
  { steps }: Definition,
  rightsOn: RightsOnTable | undefined,
): Fault[] {
  const known = new Map<number, readonly TableRight[] | undefined>();
  const rightsOf = (relation: Relation) => {
    if (!known.has(relation.oid)) known.set(relation.oid, rightsOn?.(relation));
    return known.get(relation.oid);
  };
  const warnings: Fault[] = [];
  for (const { step, pointer } of walkSteps(steps)) {
    const need = needOf(step);
    const relation = need && catalogue.relationByName(need.schema, need.table);
    if (need === undefined || relation === undefined) continue;
    const warn = (inner: readonly string[], message: string) => {
      const path = [...pointer, ...inner].map((key) => `/${escapePointer(key)}`).join("");
      warnings.push(createFault("WORKFLOW_INVALID", { path, message }));
    };
    const method = methods[need.action];
    if (!relation.resource.exposedMethods.includes(method)) {
      warn(need.pointer, `The resource ${need.schema}.${need.table} does not expose ${method}`);
      continue;
    }
    const right = rightsOf(relation)?.find(({ action }) => action === need.action);
    if (right === undefined) continue;
    if (!right.isGranted) {
      const table = `${need.schema}.${need.table}`;
      warn(need.pointer, `The user of the runs has no permission ${need.action} on ${table}`);
      continue;
    }
    const covered = new Set(right.fields.map(({ name }) => name));
    for (const name of need.written) {
      if (relation.columnByName(name) === undefined || covered.has(name)) continue;
      warn(["values", name], `The user of the runs may not set the column ${name}`);
    }
  }
  return warnings;
}

function needOf(step: Step): Need | undefined {
  switch (step.kind) {
    case "listRows":
    case "getRow":
    case "createRow":
    case "updateRows":
    case "deleteRows": {
      const { schema, table, kind } = step;
      const written = "values" in step ? Object.keys(step.values) : [];
      return { schema, table, action: rowActions[kind], pointer: ["table"], written };
    }
    case "readFile":
      return needOfFiles("READ");
    case "storeFile":
    case "renderDocument":
      return needOfFiles("CREATE");
    default:
      return undefined;
  }
}

function needOfFiles(action: Action): Need {
  return { schema: "system", table: "files", action, pointer: [], written: [] };
}
