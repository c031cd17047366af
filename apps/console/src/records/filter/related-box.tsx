import type { ComponentType } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { useFilterEdit } from "./filter-edit.ts";
import type { GroupNode, RelatedNode } from "./filter-tree.ts";
import { fieldText, useFilterWords } from "./filter-words.ts";
import { PlainSelect } from "./plain-select.tsx";
import { resolveField } from "./resolve-field.ts";

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
export function RelatedBox({ node, resource, Group }: RelatedBoxProps) {
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
