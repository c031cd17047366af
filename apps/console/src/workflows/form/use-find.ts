import { foldersAddress } from "../../records/library/file-record.ts";
import { client } from "../../shell/client.ts";
import type { Found } from "../../shell/find-box.tsx";

const limit = 20;

/** Finds workflows by a part of the name or slug; the id of each is its slug. */
export async function findWorkflows(
  search: string,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const query = { limit, ...(search === "" ? {} : { search }) };
  const { data } = await client.admin.get("/workflows", { query, signal });
  return data.map(({ slug, name }) => ({ id: slug, label: slug, detail: name }));
}

/** Finds templates of documents by a part of the key or title; the id of each is its key. */
export async function findDocuments(
  search: string,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const query = { kind: "DOCUMENT", limit: 1000 } as const;
  const { data } = await client.admin.get("/templates", { query, signal });
  const titles = new Map<string, string>();
  for (const one of data) {
    const title = one.kind === "DOCUMENT" ? one.title : "";
    if (`${one.key} ${title}`.toLowerCase().includes(search.toLowerCase())) {
      titles.set(one.key, titles.get(one.key) ?? title);
    }
  }
  return [...titles].map(([key, title]) => ({ id: key, label: key, detail: title }));
}

/** Finds folders by a part of the name. */
export async function findFolders(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const where = search === "" ? {} : { where: { name: { _icontains: search } } };
  const rows = await client
    .from(foldersAddress)
    .list({ limit, fields: ["id", "name"], signal, ...where });
  return rows.rows.map((row) => ({ id: String(row.id), label: String(row.name) }));
}
