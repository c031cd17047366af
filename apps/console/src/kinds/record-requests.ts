import { client } from "../shell/client.ts";
import { type DrawnKind, type FormOf, kindFacts } from "./record-facts.ts";

/** A stored record: its id, and the fields that its form has. */
export type RecordOf<Kind extends DrawnKind> = FormOf<Kind> & { readonly id: string };

/**
 * Returns the requests for the records of a kind. Its description gives the path and the fields, so that the types of one kind stand
 * for those of any.
 */
export function recordRequests<Kind extends DrawnKind>(kind: Kind) {
  const list = kindFacts[kind].path as "/roles";
  const one = `${list}/{id}` as const;
  return {
    list: async (
      query: { readonly search?: string; readonly cursor?: string },
      signal: AbortSignal,
    ) => {
      const { data, meta } = await client.admin.get(list, { query, signal });
      return { data: data as unknown as readonly RecordOf<Kind>[], meta };
    },
    read: async (id: string) => {
      const { data, etag } = await client.admin.get(one, { path: { id } });
      return { record: data as unknown as RecordOf<Kind>, etag };
    },
    create: async (form: FormOf<Kind>) => {
      const { data } = await client.admin.post(list, { data: form as never });
      return data as unknown as RecordOf<Kind>;
    },
    change: async (id: string, data: Partial<FormOf<Kind>>, ifMatch: string | undefined) => {
      const answer = await client.admin.patch(one, { path: { id }, data: data as never, ifMatch });
      return answer.data as unknown as RecordOf<Kind>;
    },
    remove: async (id: string) => {
      await client.admin.delete(one, { path: { id } });
    },
  };
}
