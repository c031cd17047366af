import { wordsOfName } from "@rowhouse/access/written-name";
import { writeRowId } from "@rowhouse/wire";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import type { Command } from "../shell/commands.ts";

import type { Found } from "../shell/palette.tsx";
import { useDelayed } from "../shell/use-delayed.ts";
import { FileText } from "../ui/icons.generated.ts";

/** Milliseconds without a key after which rows are searched. */
const restMs = 150;
const lettersMin = 2;

/** Rows in whose titles a typed text occurs, as commands that open them; none until they are found. */
export function useFoundRows(typed: string): Found {
  const open = useOpen();
  const q = useDelayed(typed.trim(), restMs);
  const isSearched = q.length >= lettersMin;
  const { data } = useQuery({
    queryKey: ["found rows", q],
    enabled: isSearched,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.app.get("/search", { query: { q }, signal }),
  });
  return useMemo(() => {
    const { data: rows = [], meta } = (isSearched ? data : undefined) ?? {};
    const labelOf = ({ label, name }: { readonly label: string | null; readonly name: string }) =>
      label ?? wordsOfName(name);
    const missing = (meta?.unanswered ?? []).map(labelOf);
    const commands = rows.map(({ resource, key, title }): Command => {
      const { schema, kind, name } = resource;
      const path = [schema, kind.toLowerCase(), name].map(encodeURIComponent).join("/");
      const id = writeRowId(key);
      return {
        ...{ id: `row ${path}/${id}`, group: "rows", label: title, icon: FileText },
        detail: labelOf(resource),
        run: () => open(`/app/records/${path}/${id}`),
      };
    });
    return { commands, missing };
  }, [data, isSearched, open]);
}
