import { useQuery, useQueryClient } from "@tanstack/react-query";
import { labelOfGroup } from "../model/labels.ts";
import { columnOfGroup } from "../model/panel-columns.ts";
import { groupText } from "../model/panel-ways.ts";
import { usePanelWays } from "../panels/use-panel-ways.ts";
import { boardQuery, type MarkPlace, panelQuery } from "./dashboard-queries.ts";

/** The mark whose rows are shown, in words: the groups of its panel with their values. */
export function MarkWords({ timeZone, ...place }: MarkPlace & { readonly timeZone: string }) {
  const ways = usePanelWays(timeZone);
  const cache = useQueryClient();
  const { id, panelId, parameters, mark } = place;
  // The board has read the panel already.
  const known = cache
    .getQueryData(boardQuery(id, parameters).queryKey)
    ?.panels.find((one) => one.id === panelId);
  const { data } = useQuery({
    ...panelQuery(id, panelId, parameters),
    ...(known === undefined ? {} : { initialData: known }),
    enabled: mark !== undefined,
  });
  if (mark === undefined || data?.terms === undefined) return null;
  const { fields = [], terms } = data;
  const chosen = terms.groups.filter(({ name }) => Object.hasOwn(mark, name));
  return (
    <ul className="flex min-w-0 flex-wrap gap-1.5">
      {chosen.map((term) => (
        <li
          key={term.name}
          className="flex min-w-0 max-w-72 gap-1 rounded-control border border-accent-line bg-accent-soft px-2 leading-6"
        >
          <bdi className="truncate text-ink-2">{labelOfGroup(term, fields)}</bdi>
          <bdi className="truncate font-medium">
            {groupText(term, columnOfGroup(term, fields), mark[term.name], ways)}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
