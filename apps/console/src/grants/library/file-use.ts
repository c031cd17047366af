import { useQueryClient } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { loadAll } from "../../shell/load-all.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { type Grant, grantKey } from "../model/grant-queries.ts";
import type { SetGrant } from "../model/use-grant-changes.ts";

/** What the chosen roles may do with files. */
export type FileRights = "READ" | "UPLOAD";

interface Tables {
  readonly files: string;
  readonly folders: string;
}

/** The fields that a person sets of an own file; the visibility is not one of them. */
const ownFields = ["name", "title", "description", "folder_id", "content"];

/**
 * The grants that roles lack for the library. A grant that a role has stays as it is. Who uploads changes and deletes own
 * files only.
 */
function missingGrants(
  { files, folders }: Tables,
  roleIds: readonly string[],
  rights: FileRights,
  present: readonly Grant[],
): readonly SetGrant[] {
  const own = { uploaded_by: { _eq: "$USER.id" } };
  const known = new Set(present.map((one) => grantKey(one.resourceId, one.roleId, one.action)));
  return roleIds
    .flatMap((roleId): SetGrant[] => [
      { roleId, resourceId: files, action: "READ", fields: null },
      { roleId, resourceId: folders, action: "READ", fields: null },
      ...(rights === "READ"
        ? []
        : (
            [
              { roleId, resourceId: files, action: "CREATE", fields: ownFields },
              { roleId, resourceId: files, action: "UPDATE", fields: ownFields, rowFilter: own },
              { roleId, resourceId: files, action: "DELETE", fields: null, rowFilter: own },
              { roleId, resourceId: folders, action: "CREATE", fields: null },
            ] as const
          ).map((one) => ({ ...one, fields: one.fields && [...one.fields] }))),
    ])
    .filter((one) => !known.has(grantKey(one.resourceId, one.roleId, one.action)));
}

/** Returns the task that grants the rights and then exposes the tables of files. After a failure it can run again. */
export function useStartFiles(
  roleIds: readonly string[],
  rights: FileRights,
  onDone: () => void,
): Task {
  const onChange = useFileChange();
  return useTask(async () => {
    const tables = await loadTables();
    const present = await loadAll((page) => client.admin.get("/grants", { query: page }));
    const data = [...missingGrants(tables, roleIds, rights, present)];
    if (data.length > 0) await client.admin.put("/grants", { data });
    await expose(tables, ["GET", "POST", "PATCH", "DELETE"]);
    await onChange();
    onDone();
  }, []);
}

/** Returns the task that hides the tables of files; files and grants stay. */
export function useStopFiles(onDone: () => void): Task {
  const onChange = useFileChange();
  return useTask(async () => {
    await expose(await loadTables(), []);
    await onChange();
    onDone();
  }, []);
}

async function loadTables(): Promise<Tables> {
  const { data } = await client.admin.get("/resources", {
    query: { schema: "system", limit: 1000 },
  });
  const idOf = (table: string) => data.find(({ name }) => name === table)?.id ?? "";
  return { files: idOf("files"), folders: idOf("folders") };
}

async function expose(
  { files, folders }: Tables,
  exposedMethods: ("GET" | "POST" | "PATCH" | "DELETE")[],
): Promise<void> {
  const data = [files, folders].map((id) => ({ id, exposedMethods }));
  await client.admin.patch("/resources", { data });
}

function useFileChange(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const keys = [["navigation"], ["resources"], ["grants"], ["structure", "exposure"]];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}
