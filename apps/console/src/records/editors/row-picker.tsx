import { writeName } from "@rowhouse/access/written-name";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import { fieldsWithTitle, recordTitle, titleColumns } from "../model/record-title.ts";
import { addressOf, type Row } from "../model/resource.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { UnreadText } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { placeholderOf } from "./text-editor.tsx";

/** A reference that a column has, alone or with others. */
interface Reference {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
}

interface RowPickerProps extends EditorProps {
  readonly reference: Reference;
  /** The row that refers, for a reference of several columns; `value` is then null or a text for it. */
  readonly row?: Row | undefined;
  /** The columns of the reference whose values of `row` a chosen row must have. */
  readonly held?: ReadonlySet<string> | undefined;
  /** The text of the present row, if the page has it. */
  readonly text?: string | undefined;
  /** The values of all columns of the reference; null for none. */
  readonly onPick: (
    values: Readonly<Record<string, unknown>> | null,
    row: Row | null,
    text: string,
  ) => void;
}

interface Found {
  readonly search?: string;
  readonly where?: Row;
}

/** Returns the parts of a request that find a text; one that can be a key finds the row of that key too. */
export function searchOf(
  target: NavigationResource,
  pairs: readonly { readonly to: string }[],
  search: string,
): Found {
  if (search === "") return {};
  const [key] = pairs;
  const column = target.columns.find(({ name }) => name === key?.to);
  const isKey = pairs.length === 1 && column?.baseType !== "text" && /^[0-9a-f-]+$/i.test(search);
  if (key === undefined || column === undefined || !isKey) return { search };
  const isPossible = valueKindOf(column) === "UUID" ? search.length === 36 : /^\d+$/.test(search);
  if (!isPossible) return { search };
  const byKey = { [writeName(key.to)]: { _eq: search } };
  const texts = titleColumns(target).filter((one) => valueKindOf(one) === "TEXT");
  const byText = texts.map(({ name }) => ({ [writeName(name)]: { _icontains: search } }));
  return { where: byText.length === 0 ? byKey : { _or: [byKey, ...byText] } };
}

/** Reads the title of the row that a value refers to; undefined until it is known. */
function useReferenceText(
  { relation, target }: Reference,
  values: readonly unknown[],
): string | undefined {
  const ways = useWays();
  const isKnown = values.every((value) => value !== null && !(value instanceof UnreadText));
  const names = (relation.columns ?? []).map(({ to }) => to);
  const fields = fieldsWithTitle(target, []);
  const { data } = useQuery({
    queryKey: ["reference text", target.id, fields, names, values.map(String)],
    enabled: isKnown && fields.length > 0 && values.length === names.length,
    queryFn: async ({ signal }) => {
      const where = whereEqual(names.map((name, index) => [name, values[index]]));
      const page = await client.from(addressOf(target)).list({ fields, where, limit: 1, signal });
      return (page.rows as readonly Row[])[0] ?? null;
    },
  });
  return data === undefined || data === null ? undefined : recordTitle(target, data, ways);
}

/** The filter of rows with some values. */
function whereEqual(values: readonly (readonly [name: string, value: unknown])[]): Row {
  return Object.fromEntries(values.map(([name, value]) => [writeName(name), { _eq: value }]));
}

const pageSize = 30;
const recentMax = 5;

/** Chooses the row that a foreign key refers to, by a search over the texts of its table. Rows chosen lately come first. */
export function RowPicker(props: RowPickerProps) {
  const { reference, value, onPick, onCommit, onCancel, isCell = false, autoFocus = false } = props;
  const { relation, target } = reference;
  const t = useTranslations("values");
  const parts = useEditorParts(props);
  const cache = useQueryClient();
  const [typed, setTyped] = useState<string | null>(props.typed ?? null);
  const [isWanted, want] = useState(false);
  const ways = useWays();
  const pairs = relation.columns ?? [];
  const titled = target.title.map(({ field }) => field);
  const names = [...new Set([...pairs.map(({ to }) => to), ...titled])];
  const search = typed?.trim() ?? "";
  const held = pairs
    .filter(({ from }) => props.held?.has(from) === true)
    .map(({ from, to }) => [to, props.row?.[from]] as const);
  const { data, isFetching, isLoading, isPlaceholderData } = useQuery({
    queryKey: ["references", target.id, names, search, held],
    enabled: isWanted || typed !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const fields = fieldsWithTitle(target, names);
      const orderBy = titled.map(writeName);
      const { where, ...found } = searchOf(target, pairs, search);
      const all = [
        ...(where === undefined ? [] : [where]),
        ...held.map((one) => whereEqual([one])),
      ];
      const filter = all.length === 0 ? {} : { where: { _and: all } };
      const options = { fields, orderBy, limit: pageSize, signal, ...found, ...filter };
      return (await client.from(addressOf(target)).list(options)).rows as readonly Row[];
    },
  });
  const recentKey = ["recent references", target.id];
  const chosen = search === "" ? (cache.getQueryData<readonly Row[]>(recentKey) ?? []) : [];
  // Another reference to the same table may have read other columns.
  const recent = chosen.filter(
    (row) =>
      names.every((name) => name in row) &&
      held.every(([name, value]) => String(row[name]) === String(value)),
  );
  const idOf = (row: Row) => JSON.stringify(pairs.map(({ to }) => String(row[to])));
  const keyText = (row: Row) => pairs.map(({ to }) => String(row[to])).join(", ");
  const titleOf = (row: Row) => recordTitle(target, row, ways) ?? keyText(row);
  // Rows of the text before are offered only if they match the new one, so that Enter chooses no wrong row.
  const wanted = search.toLowerCase();
  const loaded = (data ?? []).filter(
    (row) => !isPlaceholderData || titleOf(row).toLowerCase().includes(wanted),
  );
  const rows = [...new Map([...recent, ...loaded].map((row) => [idOf(row), row])).values()];
  const options = rows.map((row) => ({ id: idOf(row), label: titleOf(row), detail: keyText(row) }));
  const isSet = value !== null && value !== undefined;
  // While the first rows load, it would be the only option, and Enter would remove the present value.
  const isNoneOffered = props.column.nullable && search === "" && !(isSet && isLoading);
  const none = { id: "none", label: <EmptyMark text={t("none")} /> };
  const { row: referring } = props;
  const values = referring === undefined ? [value] : pairs.map(({ from }) => referring[from]);
  const own = useReferenceText(reference, isSet && props.text === undefined ? values : []);
  const shown = isSet ? (props.text ?? own ?? String(value)) : "";
  const choose = (id: string) => {
    setTyped(null);
    const row = rows.find((one) => idOf(one) === id);
    if (row === undefined) return onPick(null, null, "");
    const others = recent.filter((one) => idOf(one) !== id).slice(0, recentMax - 1);
    cache.setQueryData(recentKey, [row, ...others]);
    onPick(Object.fromEntries(pairs.map(({ from, to }) => [from, row[to]])), row, titleOf(row));
  };
  return (
    <div className={isCell ? "relative size-full" : "min-w-0"}>
      <Combobox
        id={parts.inputId}
        label={parts.label}
        text={typed ?? shown}
        onText={setTyped}
        onOpen={() => want(true)}
        options={isNoneOffered ? [none, ...options] : options}
        chosen={isSet ? JSON.stringify(values.map(String)) : none.id}
        onChoose={choose}
        onCommit={onCommit}
        onCancel={onCancel}
        onLeave={() => setTyped(null)}
        message={
          rows.length > 0
            ? rows.length >= pageSize
              ? t("typeMore")
              : undefined
            : t(isFetching ? "loading" : "noRow")
        }
        placeholder={placeholderOf(props, t)}
        inputClassName={parts.inputClassName}
        describedBy={parts.describedBy}
        isInvalid={parts.fault !== undefined}
        autoFocus={autoFocus}
      />
      <EditorFault id={parts.faultId} text={parts.fault} isCell={isCell} />
    </div>
  );
}
