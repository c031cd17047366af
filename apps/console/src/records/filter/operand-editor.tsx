import { readName } from "@rowhouse/access/written-name";
import { ExactNumber } from "@rowhouse/client";
import { useState } from "react";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { JsonEditor } from "../editors/json-editor.tsx";
import { RowPicker } from "../editors/row-picker.tsx";
import { ScalarEditor } from "../editors/scalar-editor.tsx";
import { TextEditor } from "../editors/text-editor.tsx";
import { referenceOf } from "../model/resource.ts";
import { useRowTitles } from "../model/use-row-titles.ts";
import type { ValueColumn } from "../values/value-kind.ts";
import { type ConditionNode, useFilterEdit } from "./filter-tree.ts";
import {
  fieldNamesOf,
  referenceOfCondition,
  useFilterWords,
  variableText,
} from "./filter-words.ts";
import {
  fieldOperands,
  isOfArrays,
  isTemplate,
  isVariable,
  literalOf,
  operandColumn,
  operandOf,
  periodNames,
  ruleOf,
  textColumn,
  variablesFor,
} from "./operand.ts";
import { ArraysEditor, ChoiceList, SearchEditor } from "./operand-controls.tsx";
import { PlainSelect } from "./plain-select.tsx";
import type { FieldPath } from "./resolve-field.ts";

interface OperandEditorProps {
  readonly node: ConditionNode;
  readonly column: NavigationColumn | undefined;
  /** The path to the field. */
  readonly path: FieldPath | undefined;
  /** The resource at which the paths of the filter start. */
  readonly base: NavigationResource | undefined;
  readonly onChange: (operand: unknown) => void;
}

/** The value of a condition: a template where there can be one, or a literal. */
export function OperandEditor(props: OperandEditorProps) {
  const { node, onChange } = props;
  const { t } = useFilterWords();
  const { Template } = useFilterEdit();
  const [isChosen, choose] = useState(false);
  const operands = ruleOf(node.operator)?.operands;
  if (Template === undefined || operands === undefined || operands === "BOOLEAN") {
    return <LiteralEditor {...props} />;
  }
  const isShown = isTemplate(node.operand) || (isChosen && typeof node.operand !== "object");
  return (
    <div className="grid min-w-0 gap-1">
      {isShown ? (
        <Template
          label={t("value")}
          text={typeof node.operand === "string" ? node.operand : ""}
          onChange={(text) => {
            choose(true);
            onChange(text === "" ? undefined : text);
          }}
        />
      ) : (
        <LiteralEditor {...props} />
      )}
      <Checkbox
        label={t("template")}
        isChecked={isShown}
        onChange={(isTemplateNow) => {
          choose(isTemplateNow);
          onChange(undefined);
        }}
      />
    </div>
  );
}

/** A literal or a variable: one value, two, a list, or a document. */
function LiteralEditor({ node, column, path, base, onChange }: OperandEditorProps) {
  const { t } = useFilterWords();
  const { operator, operand, inside } = node;
  const rule = ruleOf(operator);
  const shown =
    inside === null && column !== undefined ? operandColumn(column, operator) : textColumn;
  const named = (label: string): ValueColumn & { name: string; label: string } => ({
    ...shown,
    ...{ name: label, label },
  });
  if (operator === "_search") return <SearchEditor operand={operand} onChange={onChange} />;
  switch (rule?.operands) {
    case undefined:
      return null;
    case "BOOLEAN":
      // `_null: false` is another spelling of "has a value", which the comparison shows.
      return null;
    case "JSON":
      return (
        <JsonEditor isOperand column={named(t("value"))} value={operand} onChange={onChange} />
      );
    case "TWO": {
      const pair = Array.isArray(operand) ? operand : [undefined, undefined];
      return (
        <div className="grid min-w-0 gap-1">
          {(["first", "second"] as const).map((name, index) => (
            <ScalarEditor
              isOperand
              key={name}
              column={named(t(name))}
              value={literalOf(pair[index])}
              onChange={(next) =>
                onChange([0, 1].map((at) => (at === index ? operandOf(next) : pair[at])))
              }
            />
          ))}
        </div>
      );
    }
    case "LIST":
      if (isOfArrays(column, node)) {
        return <ArraysEditor column={shown} operand={operand} onChange={onChange} />;
      }
      if (shown.values !== null && shown.values.length <= 60) {
        return <ChoiceList column={shown} label={t("list")} chosen={operand} onChange={onChange} />;
      }
      if (column !== undefined && isReferenceList(node, path, column)) {
        return (
          <ReferenceList {...{ node, column, path, base, onChange }} shown={named(t("value"))} />
        );
      }
      return (
        <TextEditor
          isOperand
          column={{ ...named(t("list")), array: true }}
          value={Array.isArray(operand) ? operand.map(literalOf) : operand}
          onChange={(next) => onChange(Array.isArray(next) ? next.map(operandOf) : next)}
        />
      );
    default:
      if (inside !== null) return <InsideEditor operand={operand} onChange={onChange} />;
      if (column === undefined)
        return (
          <ScalarEditor isOperand column={named(t("value"))} value={operand} onChange={onChange} />
        );
      return (
        <SingleEditor
          node={node}
          column={column}
          shown={named(t("value"))}
          path={path}
          base={base}
          onChange={onChange}
        />
      );
  }
}

const userColumns = ["id", "email", "name"];

interface ValueEditorProps {
  readonly node: ConditionNode;
  readonly column: NavigationColumn;
  readonly shown: ValueColumn & { readonly name: string; readonly label: string };
  readonly path: FieldPath | undefined;
  readonly base: NavigationResource | undefined;
  readonly onChange: (operand: unknown) => void;
}

/** Whether a list has keys of other rows, none of them a variable or a template. */
function isReferenceList(
  node: ConditionNode,
  path: FieldPath | undefined,
  column: NavigationColumn,
): boolean {
  const values = Array.isArray(node.operand) ? node.operand : [];
  return (
    (node.operand === undefined || Array.isArray(node.operand)) &&
    referenceOfCondition(node, path?.resource, column) !== undefined &&
    !values.some((value) => isVariable(value) || isTemplate(value) || typeof value === "object")
  );
}

/** Several rows that a column refers to, by their titles. */
function ReferenceList({ node, column, shown, path, onChange }: ValueEditorProps) {
  const { t } = useFilterWords();
  const { resources } = useFilterEdit();
  const relation = referenceOfCondition(node, path?.resource, column);
  const target = relation && resources.get(relation.resource.id);
  const values: readonly unknown[] = Array.isArray(node.operand) ? node.operand : [];
  const literals = values.map((value) => [literalOf(value)]);
  const titleOf = useRowTitles(
    relation === undefined || target === undefined ? [] : [{ relation, target, values: literals }],
  );
  if (relation === undefined || target === undefined) return null;
  const change = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <div className="grid min-w-0 gap-1">
      {values.length > 0 && (
        <ul aria-label={t("list")} className="flex min-w-0 flex-wrap gap-1">
          {values.map((value, index) => {
            const text = titleOf(relation, [literalOf(value)]) ?? String(literalOf(value));
            return (
              <li
                key={String(value)}
                className="flex max-w-full min-w-0 items-center rounded-control border border-line bg-sunken ps-2 text-2"
              >
                <bdi className="truncate">{text}</bdi>
                <IconButton
                  label={t("remove", { text })}
                  icon={X}
                  onPress={() => change(values.toSpliced(index, 1))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <RowPicker
        isOperand
        column={{ ...shown, nullable: false }}
        value={undefined}
        onChange={() => undefined}
        reference={{ relation, target }}
        onPick={(picked) => {
          const value = operandOf(picked?.[column.name]);
          const isNew = !values.some((one) => String(one) === String(value));
          if (value !== undefined && value !== null && isNew) change([...values, value]);
        }}
      />
    </div>
  );
}

function SingleEditor(props: ValueEditorProps) {
  const { node, column, shown, path, base, onChange } = props;
  const resource = path?.resource;
  const words = useFilterWords();
  const { t } = words;
  const { resources } = useFilterEdit();
  const [picked, setPicked] = useState<{ readonly value: unknown; readonly text: string }>();
  const { operator, operand } = node;
  const isPattern = ruleOf(operator)?.text === true;
  const choice = variablesFor(column, operator);
  const variables = [
    ...(choice.periods ? periodNames.map((name) => `$PERIOD.${name}`) : []),
    ...(choice.now ? ["$NOW"] : []),
    ...(choice.user ? userColumns.map((name) => `$USER.${name}`) : []),
    ...(path === undefined ? [] : fieldOperands(path, operator)),
  ];
  const nameOf = base === undefined ? readName : fieldNamesOf(base, resources);
  const present = !isPattern && isVariable(operand) ? operand : undefined;
  if (present !== undefined && !variables.includes(present)) variables.push(present);
  const reference = resource === undefined || isPattern ? undefined : referenceOf(resource, column);
  const target = reference === undefined ? undefined : resources.get(reference.resource.id);
  const literal = literalOf(operand);
  const change = (next: unknown) => onChange(isPattern ? next : operandOf(next));
  const field =
    present !== undefined ? null : reference !== undefined && target !== undefined ? (
      <RowPicker
        isOperand
        column={shown}
        value={literal}
        onChange={change}
        reference={{ relation: reference, target }}
        text={picked?.value === literal ? picked?.text : undefined}
        onPick={(values, _row, text) => {
          const value = values?.[column.name];
          setPicked({ value, text });
          change(value);
        }}
      />
    ) : (
      <ScalarEditor isOperand column={shown} value={literal} onChange={change} />
    );
  if (variables.length === 0) return field;
  return (
    <div
      className={
        field === null ? "min-w-0" : "grid min-w-0 grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-1"
      }
    >
      <PlainSelect
        isWide
        label={t("source")}
        value={present ?? ""}
        options={[
          { value: "", label: t("literal") },
          ...variables.map((value) => ({ value, label: variableText(words, value, nameOf) })),
        ]}
        onChange={(next) => onChange(next === "" ? undefined : next)}
      />
      {field}
    </div>
  );
}

const kinds = ["insideText", "insideNumber", "insideBoolean"] as const;

/** A value inside a document, where 5 and "5" differ. */
function InsideEditor(props: {
  readonly operand: unknown;
  readonly onChange: (operand: unknown) => void;
}) {
  const { t } = useFilterWords();
  const { operand, onChange } = props;
  const kind =
    typeof operand === "boolean"
      ? "insideBoolean"
      : typeof operand === "number" || operand instanceof ExactNumber
        ? "insideNumber"
        : "insideText";
  const [chosen, choose] = useState<(typeof kinds)[number]>(kind);
  const bases = { insideText: "text", insideNumber: "numeric", insideBoolean: "boolean" };
  const column = { ...textColumn, baseType: bases[chosen], name: t("value"), label: t("value") };
  const isNumber = typeof operand === "number" || operand instanceof ExactNumber;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-1">
      <PlainSelect
        isWide
        label={t("insideForm")}
        value={chosen}
        options={kinds.map((value) => ({ value, label: t(value) }))}
        onChange={(next) => {
          choose(kinds.find((one) => one === next) ?? "insideText");
          onChange(undefined);
        }}
      />
      <ScalarEditor
        isOperand
        column={column}
        value={chosen === "insideText" ? literalOf(operand) : isNumber ? String(operand) : operand}
        onChange={(next) =>
          onChange(
            chosen === "insideNumber"
              ? numberOf(next)
              : chosen === "insideText"
                ? operandOf(next)
                : next,
          )
        }
      />
    </div>
  );
}

/** A JSON number with the digits that were typed. */
function numberOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return value;
  return String(Number(value)) === value ? Number(value) : new ExactNumber(value);
}
