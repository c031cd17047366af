import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { referenceOf } from "../model/resource.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { type ConditionNode, groupOf, newCondition, useFilterEdit } from "./filter-tree.ts";
import { fieldText, operatorText, useFilterWords } from "./filter-words.ts";
import { fits, operatorsFor, ruleOf, withOperator } from "./operand.ts";
import { OperandEditor } from "./operand-editor.tsx";
import { PlainSelect } from "./plain-select.tsx";
import { type FieldPath, fieldPaths, keysOf, pathNames, resolveField } from "./resolve-field.ts";

interface ConditionRowProps {
  readonly node: ConditionNode;
  readonly resource: NavigationResource | undefined;
  readonly position: number;
}

/** A condition: field, comparison, value. */
export function ConditionRow({ node, resource, position }: ConditionRowProps) {
  const words = useFilterWords();
  const { t } = words;
  const edit = useFilterEdit();
  const faultId = useId();
  const row = useRef<HTMLDivElement>(null);
  const path =
    resource === undefined ? undefined : resolveField(resource, edit.resources, node.keys);
  const column = path?.column ?? undefined;
  const isUnknown = node.keys.length > 0 && column === undefined;
  const fault = edit.faults.get(node.id) ?? (isUnknown ? t("unknownField") : undefined);
  const describedBy = fault === undefined ? undefined : faultId;
  const isFocused = edit.focusId === node.id;
  const isNew = node.keys.length === 0;
  useEffect(() => {
    // A new condition begins at its field, which takes the focus itself; another one at its value.
    if (!isFocused || isNew) return;
    const find = (selector: string) => row.current?.querySelector<HTMLElement>(selector);
    const first =
      find("[data-operand] :is(input:not([aria-hidden]), textarea, .cm-content)") ??
      find("[data-operand] :is(select, button)") ??
      find("select");
    first?.focus();
  }, [isFocused, isNew]);

  const pick = (chosen: FieldPath) => {
    const keys = keysOf(chosen);
    if (chosen.column === null) {
      const inner = newCondition();
      edit.change(node.id, {
        ...{ kind: "RELATED", id: node.id, keys },
        ...{ quantifier: "_some", group: groupOf([inner]) },
      });
      edit.focus(inner.id);
      return;
    }
    const operators = operatorsFor(chosen.column, false);
    // The key of a row is compared as a whole: people know its title.
    const isReference = referenceOf(chosen.resource, chosen.column) !== undefined;
    const isSameKind = column !== undefined && valueKindOf(column) === valueKindOf(chosen.column);
    const next = { ...node, keys, inside: null };
    const operator =
      isSameKind && !isReference && fits(node.operator, chosen.column, false)
        ? node.operator
        : isReference
          ? "_eq"
          : operators[0];
    const kept = isSameKind ? next : { ...next, operand: undefined };
    edit.change(node.id, withOperator(kept, operator ?? "_eq"));
  };
  const isDocument = column !== undefined && valueKindOf(column) === "JSON";
  const isInside = node.inside !== null;
  const operators = column === undefined ? [] : operatorsFor(column, isInside);
  const choices = operators.includes(node.operator) ? operators : [node.operator, ...operators];
  return (
    <div ref={row} className="grid min-w-0 gap-1">
      <div className="grid min-w-0 items-start gap-1.5 sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,6fr)_28px] max-sm:grid-cols-[1fr_28px]">
        <div className="grid min-w-0 gap-1 max-sm:col-start-1">
          {resource === undefined ? (
            <code className="truncate font-mono text-2 leading-7">{node.keys.join(".")}</code>
          ) : (
            <FieldPicker
              resource={resource}
              text={isNew ? "" : fieldText(path, node.keys)}
              onPick={pick}
              autoFocus={isFocused && isNew}
              describedBy={describedBy}
              isInvalid={isUnknown || (isNew && fault !== undefined)}
            />
          )}
          {(isDocument || isInside) && (
            <input
              type="text"
              aria-label={t("inside")}
              placeholder={t("insidePlaceholder")}
              value={node.inside ?? ""}
              dir="auto"
              onChange={({ target }) => {
                const inside = target.value === "" ? null : target.value;
                const isKept = column === undefined || fits(node.operator, column, inside !== null);
                edit.change(node.id, { ...(isKept ? node : withOperator(node, "_eq")), inside });
              }}
              className="h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2.5 font-mono text-2 placeholder:font-sans placeholder:text-ink-3"
            />
          )}
        </div>
        <div className="min-w-0 max-sm:col-start-1">
          {!isNew && (
            <PlainSelect
              isWide
              label={t("comparison")}
              value={node.operator}
              options={choices.map((value) => ({
                value,
                label: operatorText(words, value, isInside ? undefined : column),
              }))}
              onChange={(operator) => edit.change(node.id, withOperator(node, operator))}
            />
          )}
        </div>
        <div data-operand className="min-w-0 max-sm:col-start-1">
          {!isNew && (
            <OperandEditor
              node={node}
              column={column}
              path={path}
              base={resource}
              onChange={(operand) => edit.change(node.id, { ...node, operand })}
            />
          )}
        </div>
        <div className="max-sm:col-start-2 max-sm:row-start-1">
          <IconButton
            label={t("removeCondition", { position })}
            icon={X}
            onPress={() => edit.change(node.id, null)}
          />
        </div>
      </div>
      {fault !== undefined && (
        <p id={faultId} dir="auto" className="text-2 text-danger">
          {fault}
        </p>
      )}
      {ruleOf(node.operator) === undefined && (
        <p className="text-2 text-ink-2">{t("unknownPart")}</p>
      )}
    </div>
  );
}

interface FieldPickerProps {
  readonly resource: NavigationResource;
  /** The present field as people read it. */
  readonly text: string;
  readonly onPick: (path: FieldPath) => void;
  readonly autoFocus: boolean;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

const shownMax = 60;

/** Finds a field of the resource, of its related rows, or a to-many relation. */
function FieldPicker(props: FieldPickerProps) {
  const { resource, text, onPick } = props;
  const { t } = useFilterWords();
  const { resources } = useFilterEdit();
  const [typed, setTyped] = useState<string | null>(null);
  const all = useMemo(
    () =>
      fieldPaths(resource, resources).map((path, index) => {
        const names = pathNames(path);
        const search = [...names, path.column?.name ?? path.resource.label ?? ""].join(" ");
        return { id: String(index), path, names, search: search.toLowerCase() };
      }),
    [resource, resources],
  );
  const wanted = (typed ?? "").toLowerCase().replaceAll("›", " ").split(/\s+/);
  const found = all.filter(({ search }) => wanted.every((word) => search.includes(word)));
  const options = found.slice(0, shownMax).map(({ id, path, names }) => ({
    id,
    label: names.join(" › "),
    detail:
      path.column?.dataType ?? t("rowsOf", { name: path.resource.label ?? path.resource.name }),
  }));
  return (
    <Combobox
      label={t("field")}
      text={typed ?? text}
      onText={setTyped}
      options={options}
      onChoose={(id) => {
        setTyped(null);
        const chosen = all.find((one) => one.id === id);
        if (chosen !== undefined) onPick(chosen.path);
      }}
      onLeave={() => setTyped(null)}
      message={
        found.length === 0 ? t("noField") : found.length > shownMax ? t("moreFields") : undefined
      }
      placeholder={t("fieldPlaceholder")}
      inputClassName="h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2.5 text-3 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger"
      describedBy={props.describedBy}
      isInvalid={props.isInvalid}
      autoFocus={props.autoFocus}
    />
  );
}
