import { parseTitle } from "@rowhouse/access/record-title";
import { wordsOfName } from "@rowhouse/access/written-name";
import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { recordTitle } from "../records/model/record-title.ts";
import { useOwnWays, type Ways } from "../records/values/ways.ts";
import { client } from "../shell/client.ts";
import type { NavigationColumn } from "../shell/navigation.ts";
import { Select } from "../ui/select.tsx";

/** The titles that the rows of a table can have, with the first of them. */
export type PossibleTitles = AdminOperations["POST /resources/titles"]["answer"]["data"][number];

/** The most tables of one request. */
const itemsMax = 200;

/** Reads the possible titles of tables and views, by the id of each; empty until they are read. */
export function useTitleSamples(ids: readonly string[]): ReadonlyMap<string, PossibleTitles> {
  const { data = [] } = useQuery({
    queryKey: ["resources", "titles", ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const starts = Array.from({ length: Math.ceil(ids.length / itemsMax) }, (_, at) => at);
      const parts = await Promise.all(
        starts.map((at) => {
          const part = ids.slice(at * itemsMax, (at + 1) * itemsMax);
          return client.admin.post("/resources/titles", { data: part, signal });
        }),
      );
      return parts.flatMap(({ data: found }) => found);
    },
  });
  return new Map(data.map((one) => [one.id, one]));
}

/** How the rows of a table are called: the titles of its first rows, and other ways to call them. */
export function TitleChoice(props: {
  readonly samples: PossibleTitles;
  /** The chosen template; undefined for the proposed one. */
  readonly template: string | undefined;
  readonly onChange: (template: string) => void;
}) {
  const { samples, onChange } = props;
  const t = useTranslations("openTables");
  const ways = useOwnWays();
  const { choices, rows } = samples;
  const [proposed] = choices;
  if (proposed === undefined) return null;
  const template = props.template ?? proposed.template;
  const titles = sampleTitles(samples, template, ways);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-2">
      {choices.length > 1 ? (
        <Select
          label={t("rowTitle")}
          value={template}
          options={choices.map((one) => ({
            value: one.template,
            label: templateWords(one.template),
            isName: true,
          }))}
          onChange={onChange}
        />
      ) : (
        <span className="text-ink-2">{t("rowTitle")}</span>
      )}
      {rows === null ? (
        <span className="text-ink-2">{t("noSamples")}</span>
      ) : (
        <span className="flex min-w-0 flex-wrap gap-1.5">
          {titles.map((text, index) => (
            <bdi
              // Rows of a sample have no identity but their position.
              key={String(index)}
              className="max-w-60 truncate rounded-control border border-line bg-sunken px-1.5"
              title={text}
            >
              {text}
            </bdi>
          ))}
        </span>
      )}
    </div>
  );
}

/** The titles of the first rows by a template. */
function sampleTitles(
  { columns, rows }: PossibleTitles,
  template: string,
  ways: Ways,
): readonly string[] {
  const title = parseTitle(template);
  if (typeof title === "string" || rows === null) return [];
  const shown = columns.map(
    ({ name, baseType }) =>
      ({
        ...{ name, baseType, dataType: baseType, array: false },
        ...{ values: null, format: null, colors: null, nullable: true },
      }) as unknown as NavigationColumn,
  );
  const parts = title.map(({ field, before, after }) => ({ field, before, after }));
  return rows.flatMap((row) => recordTitle({ title: parts, columns: shown }, row, ways) ?? []);
}

/** A template with the words of its fields: `Given Family`. */
function templateWords(template: string): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (_, field: string) => wordsOfName(field));
}
