import { writeName } from "@rowhouse/access/written-name";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import { fieldsWithTitle, recordTitle } from "../model/record-title.ts";
import { addressOf, type Row, referenceOf } from "../model/resource.ts";
import { valueText } from "../values/show-value.ts";
import { type ValueColumn, type ValueKind, valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { PendingText, UnreadText } from "./draft.ts";
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
  /** The ids of rows that are not offered: the values of their keys as texts, as JSON. */
  readonly taken?: ReadonlySet<string> | undefined;
  /** The text of the present row, if the page has it. */
  readonly text?: string | undefined;
  /** The values of all columns of the reference; null for none. */
  readonly onPick: (
    values: Readonly<Record<string, unknown>> | null,
    row: Row | null,
    text: string,
  ) => void;
}

/** Words of a search; each of them must be found. */
const wordsMax = 8;

/** Returns the filter of the rows that a text finds: each word in one of the texts that people see, or the whole as the key. */
export function searchFilter(
  target: NavigationResource,
  pairs: readonly { readonly to: string }[],
  search: string,
): Row | undefined {
  const words = search.split(/\s+/).flatMap((word) => {
    // A title may separate its parts: `Kern, Anna (Berlin)`.
    const bare = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    return bare === "" ? [] : [bare];
  });
  if (words.length === 0) return undefined;
  const texts = [
    ...textPaths(target),
    ...detailColumns(target)
      .filter(isText)
      .map(({ name }) => [name]),
  ];
  const [key, ...others] = pairs;
  const column = target.columns.find(({ name }) => name === key?.to);
  const isKey = column !== undefined && others.length === 0 && mayBe(column, search);
  const byKey = isKey ? [{ [writeName(column.name)]: { _eq: search } }] : [];
  const byWords = words.slice(0, wordsMax).map((word) => ({
    _or: texts.map((path) =>
      path.reduceRight<Row>((inner, name) => ({ [writeName(name)]: inner }), { _icontains: word }),
    ),
  }));
  const all = [...byKey, ...(texts.length === 0 ? [] : [{ _and: byWords }])];
  if (all.length > 0) return { _or: all };
  // Nothing of the rows is text: a key is never null, so that nothing matches.
  return key === undefined ? undefined : { [writeName(key.to)]: { _null: true } };
}

/** The paths of the texts that a title is filled with, also of the rows that it refers to. */
function textPaths({ title, columns }: NavigationResource): readonly (readonly string[])[] {
  return title.flatMap(({ field, reference }) => {
    const own = columns.find(({ name }) => name === field);
    if (reference === undefined) return own !== undefined && isText(own) ? [[field]] : [];
    return reference.title.flatMap((part) => {
      const column = reference.columns.find(({ name }) => name === part.field);
      return column !== undefined && isText(column) ? [[reference.relation, part.field]] : [];
    });
  });
}

function isText(column: ValueColumn): boolean {
  return valueKindOf(column) === "TEXT";
}

/** Whether a text can be a value of a key. */
function mayBe(column: NavigationColumn, text: string): boolean {
  const kind = valueKindOf(column);
  if (kind === "UUID") return /^[0-9a-f-]{36}$/i.test(text);
  if (kind === "INTEGER") return /^\d{1,18}$/.test(text);
  return kind === "TEXT";
}

const detailKinds: readonly ValueKind[] = ["TEXT", "DATE", "ENUM", "INTEGER", "DECIMAL"];

/** The columns beside the title by which people distinguish rows. */
function detailColumns(target: NavigationResource): readonly NavigationColumn[] {
  const titled = new Set(target.title.map(({ field }) => field));
  return target.columns
    .filter(
      (column) =>
        column.readable &&
        !titled.has(column.name) &&
        !target.primaryKey.includes(column.name) &&
        detailKinds.includes(valueKindOf(column)) &&
        referenceOf(target, column) === undefined,
    )
    .slice(0, 2);
}

/** Reads the title of the row that values refer to; undefined until it is known, and without values. */
export function useReferenceText(
  { relation, target }: Reference,
  values: readonly unknown[],
): string | undefined {
  const ways = useWays();
  const isKnown = values.every((value) => value !== null && !(value instanceof UnreadText));
  const names = (relation.columns ?? []).map(({ to }) => to);
  const fields = fieldsWithTitle(target, []);
  const { data } = useQuery({
    queryKey: textKey({ relation, target }, values),
    enabled: isKnown && fields.length > 0 && values.length === names.length,
    queryFn: async ({ signal }) => {
      const where = whereEqual(names.map((name, index) => [name, values[index]]));
      const page = await client.from(addressOf(target)).list({ fields, where, limit: 1, signal });
      return (page.rows as readonly Row[])[0] ?? null;
    },
  });
  return data === undefined || data === null ? undefined : recordTitle(target, data, ways);
}

function textKey({ relation, target }: Reference, values: readonly unknown[]) {
  const names = (relation.columns ?? []).map(({ to }) => to);
  const fields = target.title.map(({ field }) => field);
  return ["reference text", target.id, fields, names, values.map(String)];
}

/** The filter of rows with some values. */
function whereEqual(values: readonly (readonly [name: string, value: unknown])[]): Row {
  return Object.fromEntries(values.map(([name, value]) => [writeName(name), { _eq: value }]));
}

const pageSize = 30;
const recentMax = 5;
const candidatesMax = 5;
const lookUpMs = 30_000;

/**
 * Chooses the row that a foreign key refers to, by a search over the texts of its table. Rows chosen lately come first. A
 * text that was typed and not chosen is looked up: the only row of that title, or a fault that names the candidates.
 */
export function RowPicker(props: RowPickerProps) {
  const { reference, value, onPick, onCommit, onCancel, isCell = false, autoFocus = false } = props;
  const { relation, target } = reference;
  const t = useTranslations("values");
  const describe = useFailureText();
  const parts = useEditorParts(props);
  const cache = useQueryClient();
  const [typed, setTyped] = useState<string | null>(props.typed ?? null);
  const [isWanted, want] = useState(false);
  const ways = useWays();
  const pairs = relation.columns ?? [];
  const titled = target.title.map(({ field }) => field);
  const details = detailColumns(target);
  const shownNames = [...titled, ...details.map(({ name }) => name)];
  const names = [...new Set([...pairs.map(({ to }) => to), ...shownNames])];
  const search = typed?.trim() ?? "";
  const held = pairs
    .filter(({ from }) => props.held?.has(from) === true)
    .map(({ from, to }) => [to, props.row?.[from]] as const);
  const found = (text: string) => ({
    queryKey: ["references", target.id, names, text, held],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const where = searchFilter(target, pairs, text);
      const all = [
        ...(where === undefined ? [] : [where]),
        ...held.map((one) => whereEqual([one])),
      ];
      const filter = all.length === 0 ? {} : { where: { _and: all } };
      const fields = names.map(writeName);
      const options = {
        fields,
        orderBy: titled.map(writeName),
        limit: pageSize,
        signal,
        ...filter,
      };
      return (await client.from(addressOf(target)).list(options)).rows as readonly Row[];
    },
  });
  const { data, isFetching, isLoading, isPlaceholderData } = useQuery({
    ...found(search),
    enabled: isWanted || typed !== null,
    placeholderData: keepPreviousData,
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
  const isExact = (row: Row, text: string) =>
    [titleOf(row), keyText(row)].some((one) => comparable(one) === comparable(text));
  // Rows of the text before are offered only if they match the new one, so that Enter chooses no wrong row.
  const wanted = search.toLowerCase();
  const loaded = (data ?? []).filter(
    (row) => !isPlaceholderData || titleOf(row).toLowerCase().includes(wanted),
  );
  const rows = [...new Map([...recent, ...loaded].map((row) => [idOf(row), row])).values()].filter(
    (row) => props.taken?.has(idOf(row)) !== true,
  );
  const options = rows.map((row) => ({
    ...{ id: idOf(row), label: titleOf(row), detail: keyText(row) },
    below: details.flatMap((column) => valueText(column, row[column.name], ways) || []).join(" · "),
  }));
  const isSet = value !== null && value !== undefined;
  // While the first rows load, it would be the only option, and Enter would remove the present value.
  const isNoneOffered = props.column.nullable && search === "" && !(isSet && isLoading);
  const none = { id: "none", label: <EmptyMark text={t("none")} /> };
  const { row: referring } = props;
  const values = referring === undefined ? [value] : pairs.map(({ from }) => referring[from]);
  const own = useReferenceText(reference, isSet && props.text === undefined ? values : []);
  const shown =
    value instanceof UnreadText ? value.text : isSet ? (props.text ?? own ?? String(value)) : "";
  const take = (row: Row) => {
    const id = idOf(row);
    const others = recent.filter((one) => idOf(one) !== id).slice(0, recentMax - 1);
    cache.setQueryData(recentKey, [row, ...others]);
    cache.setQueryData(
      textKey(
        reference,
        pairs.map(({ to }) => row[to]),
      ),
      row,
    );
    latest.current.onPick(
      Object.fromEntries(pairs.map(({ from, to }) => [from, row[to]])),
      row,
      titleOf(row),
    );
  };
  const choose = (id: string) => {
    turn.current += 1;
    setTyped(null);
    const row = rows.find((one) => idOf(one) === id);
    if (row === undefined) onPick(null, null, "");
    else take(row);
  };
  // The form may have other values once the rows have arrived.
  const latest = useRef(props);
  latest.current = props;
  const turn = useRef(0);
  const lookUp = async (text: string): Promise<void> => {
    turn.current += 1;
    const current = turn.current;
    props.onChange(new PendingText(text));
    // The query of the list ends with the text in the field.
    const outcome = await found(text)
      .queryFn({ signal: AbortSignal.timeout(lookUpMs) })
      .then(
        (all) => {
          const exact = all.filter((row) => isExact(row, text));
          const meant = exact.length > 0 ? exact : all;
          const [only] = meant;
          if (only !== undefined && meant.length === 1) return only;
          const candidates = meant
            .slice(0, candidatesMax)
            .map((row) => `${titleOf(row)} (${keyText(row)})`);
          const list = { text, count: candidates.length, rows: candidates.join(", ") };
          return t(meant.length > candidatesMax ? "manyRowsFor" : "rowsFor", list);
        },
        (error: unknown) => describe(error),
      );
    if (current !== turn.current) return;
    if (typeof outcome === "string") latest.current.onChange(new UnreadText(text, outcome));
    else take(outcome);
  };
  const leave = (): void => {
    if (typed === null) return;
    setTyped(null);
    if (search !== "") void lookUp(search);
    else if (props.column.nullable && isSet) onPick(null, null, "");
  };
  return (
    <div className={isCell ? "relative size-full" : "min-w-0"}>
      <Combobox
        id={parts.inputId}
        label={parts.label}
        text={typed ?? shown}
        onText={(text) => {
          turn.current += 1;
          setTyped(text);
        }}
        onOpen={() => want(true)}
        options={isNoneOffered ? [none, ...options] : options}
        chosen={isSet ? JSON.stringify(values.map(String)) : none.id}
        isAmbiguous={
          search !== "" &&
          (isPlaceholderData || rows.filter((row) => isExact(row, search)).length > 1)
        }
        onChoose={choose}
        onCommit={onCommit}
        onCancel={onCancel}
        onLeave={leave}
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

function comparable(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}
