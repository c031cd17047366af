import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import type { Row } from "../model/resource.ts";
import { PendingText, UnreadText } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { type RowReference, searchedRows, useReferenceText, useRowSearch } from "./row-search.ts";
import { placeholderOf } from "./text-editor.tsx";

interface RowPickerProps extends EditorProps {
  readonly reference: RowReference;
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

const candidatesMax = 5;
const lookUpMs = 30_000;

/**
 * Chooses the row that a foreign key refers to, by a search over the texts of its table. Rows chosen lately come first. A
 * text that was typed and not chosen is looked up: the only row of that title, or a fault that names the candidates.
 */
export function RowPicker(props: RowPickerProps) {
  const { reference, value, onPick, onCommit, onCancel, isCell = false, autoFocus = false } = props;
  const { relation } = reference;
  const t = useTranslations("values");
  const parts = useEditorParts(props);
  const [typed, setTyped] = useState<string | null>(props.typed ?? null);
  const [isOpened, setOpened] = useState(false);
  const pairs = relation.columns ?? [];
  const search = typed?.trim() ?? "";
  const held = pairs
    .filter(({ from }) => props.held?.has(from) === true)
    .map(({ from, to }) => [to, props.row?.[from]] as const);
  const found = useRowSearch(reference, { search, held, isWanted: isOpened || typed !== null });
  const { isFetching, isLoading, isPlaceholderData, isExact } = found;
  const rows = found.rows.filter((row) => props.taken?.has(found.idOf(row)) !== true);
  const options = rows.map(found.optionOf);
  const isSet = value !== null && value !== undefined;
  // While the first rows load, it would be the only option, and Enter would remove the present value.
  const isNoneOffered = props.column.nullable && search === "" && !(isSet && isLoading);
  const none = { id: "none", label: <EmptyMark text={t("none")} /> };
  const { row: referring } = props;
  const values = referring === undefined ? [value] : pairs.map(({ from }) => referring[from]);
  const own = useReferenceText(reference, isSet && props.text === undefined ? values : []);
  const shown =
    value instanceof UnreadText ? value.text : isSet ? (props.text ?? own ?? String(value)) : "";
  const take = (row: Row): void => {
    found.keep(row);
    const values = Object.fromEntries(pairs.map(({ from, to }) => [from, row[to]]));
    onPick(values, row, found.titleOf(row));
  };
  const { begin, lookUp } = useLookUp(props, found, take);
  const choose = (id: string): void => {
    begin();
    setTyped(null);
    const row = rows.find((one) => found.idOf(one) === id);
    if (row === undefined) onPick(null, null, "");
    else take(row);
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
          begin();
          setTyped(text);
        }}
        onOpen={() => {
          setOpened(true);
          // The list has the candidates of a text that names several rows.
          if (value instanceof UnreadText && typed === null) setTyped(value.text);
        }}
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
            ? rows.length >= searchedRows
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

/**
 * Looks up a text that was typed and not chosen. Meanwhile it is pending; a later choice or text ends this.
 *
 * @param take chooses a row
 */
function useLookUp(
  props: RowPickerProps,
  found: ReturnType<typeof useRowSearch>,
  take: (row: Row) => void,
) {
  const t = useTranslations("values");
  const describe = useFailureText();
  // The form may have other values once the rows have arrived.
  const latest = useRef({ props, take });
  latest.current = { props, take };
  const turn = useRef(0);
  const isTaken = (row: Row) => props.taken?.has(found.idOf(row)) === true;
  /** Returns the only row that a text means, or a sentence that names the candidates. */
  const rowFor = async (text: string): Promise<Row | string> => {
    // The query of the list ends with the text in the field.
    const all = await found.load(text, AbortSignal.timeout(lookUpMs));
    const exact = all.filter((row) => found.isExact(row, text));
    const meant = (exact.length > 0 ? exact : all).filter((row) => !isTaken(row));
    const [only] = meant;
    if (only !== undefined && meant.length === 1) return only;
    if (meant.length === 0 && all.length > 0) return t("rowTaken", { text });
    const candidates = meant
      .slice(0, candidatesMax)
      .map((row) => `${found.titleOf(row)} (${found.keyText(row)})`);
    const list = { text, count: candidates.length, rows: candidates.join(", ") };
    return t(meant.length > candidatesMax ? "manyRowsFor" : "rowsFor", list);
  };
  return {
    begin: (): void => {
      turn.current += 1;
    },
    lookUp: async (text: string): Promise<void> => {
      turn.current += 1;
      const current = turn.current;
      props.onChange(new PendingText(text));
      const outcome = await rowFor(text).catch((error: unknown) => describe(error));
      if (current !== turn.current) return;
      if (typeof outcome !== "string") latest.current.take(outcome);
      else latest.current.props.onChange(new UnreadText(text, outcome));
    },
  };
}
