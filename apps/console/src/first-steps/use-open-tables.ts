import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../shell/client.ts";
import { useFailureText } from "../shell/failure-text.ts";
import { navigationQuery } from "../shell/navigation.ts";
import { type ResourceEntry, resourcesQuery } from "../shell/resource-queries.ts";

/** How far tables are opened. */
export type Access = "READ" | "WRITE";

/** The role that gets grants on the opened tables. */
export type RoleDraft =
  | { readonly kind: "NEW"; readonly name: string }
  | { readonly kind: "KNOWN"; readonly id: string }
  | { readonly kind: "NONE" };

interface Opening {
  readonly tables: readonly {
    readonly resource: ResourceEntry;
    readonly label: string;
    /** The template of a record's title; undefined for the present one. */
    readonly title: string | undefined;
  }[];
  readonly access: Access;
  readonly role: RoleDraft;
}

interface Opened {
  readonly count: number;
  /** Null without a role. */
  readonly roleId: string | null;
}

/** The most items of one request. */
const itemsMax = 1000;

const methods = { READ: ["GET"], WRITE: ["GET", "POST", "PATCH", "DELETE"] } as const;
const actions = { READ: ["READ"], WRITE: ["READ", "CREATE", "UPDATE", "DELETE"] } as const;

/**
 * Opens tables: the role is created first, then tables are exposed with their labels, then the role gets its grants. A
 * repeated attempt goes on with the role that an earlier one has created.
 */
export function useOpenTables() {
  const queries = useQueryClient();
  const describe = useFailureText();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [opened, setOpened] = useState<Opened>();
  const [created, setCreated] = useState<{ readonly name: string; readonly id: string }>();
  const roleIdOf = async (role: RoleDraft): Promise<string | null> => {
    if (role.kind === "NONE") return null;
    if (role.kind === "KNOWN") return role.id;
    const name = role.name.trim();
    if (created?.name === name) return created.id;
    const { data } = await client.admin.post("/roles", { data: { name, apiAccess: true } });
    setCreated({ name, id: data.id });
    return data.id;
  };
  const open = async ({ tables, access, role }: Opening): Promise<void> => {
    const roleId = await roleIdOf(role);
    // A view accepts reading only.
    const accessOf = (resource: ResourceEntry): Access =>
      resource.kind === "VIEW" ? "READ" : access;
    for (let at = 0; at < tables.length; at += itemsMax) {
      await client.admin.patch("/resources", {
        data: tables.slice(at, at + itemsMax).map(({ resource, label, title }) => ({
          id: resource.id,
          exposedMethods: [...methods[accessOf(resource)]],
          label: label === "" ? null : label,
          ...(title === undefined ? {} : { title }),
        })),
      });
    }
    const grants =
      roleId === null
        ? []
        : tables.flatMap(({ resource }) =>
            actions[accessOf(resource)].map((action) => ({
              ...{ roleId, resourceId: resource.id, action, fields: null },
            })),
          );
    for (let at = 0; at < grants.length; at += itemsMax) {
      await client.admin.put("/grants", { data: grants.slice(at, at + itemsMax) });
    }
    setOpened({ count: tables.length, roleId });
  };
  const start = (opening: Opening): void => {
    if (isBusy || opening.tables.length === 0) return;
    setBusy(true);
    setError(undefined);
    open(opening)
      .catch(setError)
      .finally(async () => {
        const keys = [resourcesQuery.queryKey, navigationQuery.queryKey, ["grants"], ["roles"]];
        await Promise.all(
          [...keys, ["first-steps"]].map((queryKey) => queries.invalidateQueries({ queryKey })),
        );
        setBusy(false);
      });
  };
  const roleFault =
    error instanceof RowhouseError
      ? error.faults.find(({ path }) => path === "/data/name")?.message
      : undefined;
  return {
    opened,
    task: {
      ...{ start, isBusy, roleFault },
      failure: error === undefined || roleFault !== undefined ? undefined : describe(error),
    },
  };
}
