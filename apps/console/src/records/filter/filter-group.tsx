import { type ComponentType, useId } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { FolderPlus, Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ConditionRow } from "./condition-row.tsx";
import {
  type FilterNode,
  type GroupNode,
  groupOf,
  newCondition,
  type RelatedNode,
  useFilterEdit,
} from "./filter-tree.ts";
import { fieldText, type Join, joinOf, joinOptions, useFilterWords } from "./filter-words.ts";
import { PlainSelect } from "./plain-select.tsx";
import { resolveField } from "./resolve-field.ts";

interface FilterGroupProps {
  readonly group: GroupNode;
  /** The resource whose fields the conditions have; undefined if it cannot be read. */
  readonly resource: NavigationResource | undefined;
  readonly label: string;
  readonly onRemove?: (() => void) | undefined;
}

/** Conditions and groups, with how they are joined. */
export function FilterGroup({ group, resource, label, onRemove }: FilterGroupProps) {
  const words = useFilterWords();
  const { t } = words;
  const edit = useFilterEdit();
  const faultId = useId();
  const fault = edit.faults.get(group.id);
  const join = (next: Join) => {
    const isOr = next === "any" || next === "none";
    edit.change(group.id, {
      ...group,
      join: isOr ? "OR" : "AND",
      isNegated: next === "none" || next === "notAll",
      isList: isOr,
    });
  };
  const add = (node: FilterNode, focusId: string) => {
    edit.add(group.id, node);
    edit.focus(focusId);
  };
  const addCondition = () => {
    const condition = newCondition();
    add(condition, condition.id);
  };
  const addGroup = () => {
    const condition = newCondition();
    add(groupOf([condition], { join: "OR", isList: true }), condition.id);
  };
  return (
    <fieldset
      aria-describedby={fault === undefined ? undefined : faultId}
      className="grid min-w-0 gap-2"
    >
      <legend className="sr-only">{label}</legend>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="text-ink-2">{label}</span>
        <PlainSelect
          label={label}
          value={joinOf(group)}
          options={joinOptions(words)}
          onChange={(next) => join(next as Join)}
        />
        <span className="flex-1" />
        {onRemove !== undefined && (
          <IconButton label={t("removeGroup")} icon={X} onPress={onRemove} />
        )}
      </div>
      {group.nodes.length > 0 && (
        <ul className="grid min-w-0 gap-2">
          {group.nodes.map((node, index) => (
            <li key={node.id} className="min-w-0">
              <Part node={node} resource={resource} position={index + 1} />
            </li>
          ))}
        </ul>
      )}
      {group.nodes.length === 0 && (
        <p className="text-2 text-ink-2">
          {t("empty", { count: (group.join === "OR") === group.isNegated ? 1 : 0 })}
        </p>
      )}
      <div className="flex gap-1">
        <ToolButton kind="bare" aria-label={t("addTo")} onClick={addCondition}>
          <Plus size={14} aria-hidden="true" />
          {t("addCondition")}
        </ToolButton>
        <ToolButton kind="bare" aria-label={t("addGroupTo")} onClick={addGroup}>
          <FolderPlus size={14} aria-hidden="true" />
          {t("addGroup")}
        </ToolButton>
      </div>
      {fault !== undefined && (
        <p id={faultId} dir="auto" className="text-2 text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

const boxClasses =
  "min-w-0 rounded-control border border-line border-l-2 border-l-accent-line p-2 pl-3";

function Part(props: {
  readonly node: FilterNode;
  readonly resource: NavigationResource | undefined;
  readonly position: number;
}) {
  const { node, resource, position } = props;
  const { t } = useFilterWords();
  const edit = useFilterEdit();
  const remove = () => edit.change(node.id, null);
  switch (node.kind) {
    case "CONDITION":
      return <ConditionRow node={node} resource={resource} position={position} />;
    case "GROUP":
      return (
        <div className={boxClasses}>
          <FilterGroup group={node} resource={resource} label={t("match")} onRemove={remove} />
        </div>
      );
    case "RELATED":
      return (
        <div className={boxClasses}>
          <RelatedBox node={node} resource={resource} Group={FilterGroup} />
        </div>
      );
    case "UNKNOWN":
      return (
        <div className="flex min-w-0 items-start gap-2">
          <div className="min-w-0 flex-1">
            <code
              className="block truncate rounded-control bg-sunken px-2 py-1 font-mono text-2"
              dir="ltr"
            >
              {node.keys.join(".")} {JSON.stringify(node.value)}
            </code>
            <p
              dir="auto"
              className={edit.faults.has(node.id) ? "text-2 text-danger" : "text-2 text-ink-2"}
            >
              {edit.faults.get(node.id) ?? t("unknownPart")}
            </p>
          </div>
          <IconButton label={t("removeCondition", { position })} icon={X} onPress={remove} />
        </div>
      );
    default:
      return node satisfies never;
  }
}

interface RelatedBoxProps {
  readonly node: RelatedNode;
  readonly resource: NavigationResource | undefined;
  /** The component of a group, which contains this one in turn. */
  readonly Group: ComponentType<{
    readonly group: GroupNode;
    readonly resource: NavigationResource | undefined;
    readonly label: string;
  }>;
}

const quantifiers = ["_some", "_none", "_every"] as const;

/** Conditions on related rows: how many of them match, and what they match. */
function RelatedBox({ node, resource, Group }: RelatedBoxProps) {
  const { t } = useFilterWords();
  const edit = useFilterEdit();
  const path =
    resource === undefined ? undefined : resolveField(resource, edit.resources, node.keys);
  const name = fieldText(path, node.keys);
  const isKnown = path?.column === null;
  const fault = edit.faults.get(node.id) ?? (isKnown ? undefined : t("unknownField"));
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex min-w-0 items-center gap-2">
        <div className="min-w-0 flex-1">
          <PlainSelect
            label={t("quantifier.label", { name })}
            value={node.quantifier}
            options={quantifiers.map((value) => ({
              value,
              label: t(`quantifier.${value}`, { name }),
            }))}
            onChange={(next) => {
              const quantifier = quantifiers.find((one) => one === next);
              if (quantifier !== undefined) edit.change(node.id, { ...node, quantifier });
            }}
          />
        </div>
        <IconButton label={t("removeGroup")} icon={X} onPress={() => edit.change(node.id, null)} />
      </div>
      {fault !== undefined && <p className="text-2 text-danger">{fault}</p>}
      <Group
        group={node.group}
        resource={isKnown ? path.resource : undefined}
        label={t("matchRelated")}
      />
    </div>
  );
}
