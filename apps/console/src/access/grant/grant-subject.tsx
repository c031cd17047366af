import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { ComboField } from "../../ui/combo-field.tsx";
import { Select } from "../../ui/select.tsx";
import { actionMethods } from "../access-queries.ts";
import type { GrantDraft } from "./grant-draft.ts";

interface GrantSubjectProps {
  readonly draft: GrantDraft;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (change: Partial<GrantDraft>) => void;
}

const shownMax = 60;

/** Who may do what with which resource: chosen once, when the grant is created. */
export function GrantSubject({ draft, faultAt, onChange }: GrantSubjectProps) {
  const t = useTranslations("access");
  const { data: roles = [] } = useQuery(rolesQuery);
  const { data: resources = [] } = useQuery(resourcesQuery);
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] sm:items-start">
      <Finder
        label={t("grant.role")}
        fault={faultAt("/data/roleId")}
        chosen={draft.roleId}
        items={roles
          .filter(({ isAdministrators }) => !isAdministrators)
          .map(({ id, name }) => ({ id, label: name }))}
        onChoose={(roleId) => onChange({ roleId })}
      />
      <div className="grid gap-1.5 sm:pt-7">
        <Select
          label={t("grant.action")}
          value={draft.action}
          options={actionMethods.map(({ action }) => ({
            value: action,
            label: t(`action.${action}`),
          }))}
          onChange={(action) => onChange({ action })}
        />
        {faultAt("/data/action") !== undefined && (
          <p className="max-w-60 text-2 text-danger">{faultAt("/data/action")}</p>
        )}
      </div>
      <Finder
        label={t("grant.resource")}
        fault={faultAt("/data/resourceId")}
        chosen={draft.resourceId}
        items={resources.map((one) => ({ id: one.id, label: resourceName(one) }))}
        onChoose={(resourceId) =>
          // Terms name columns of the resource.
          onChange({ resourceId, fields: null, rowFilter: null, check: null, presets: {} })
        }
      />
    </div>
  );
}

/** A choice of one of many by a part of its name. */
function Finder(props: {
  readonly label: string;
  readonly fault: string | undefined;
  readonly chosen: string;
  readonly items: readonly { readonly id: string; readonly label: string }[];
  readonly onChoose: (id: string) => void;
}) {
  const { label, fault, chosen, items, onChoose } = props;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const [typed, setTyped] = useState<string>();
  const wanted = (typed ?? "").toLowerCase();
  const found = items.filter((item) => item.label.toLowerCase().includes(wanted));
  const present = items.find(({ id }) => id === chosen)?.label ?? "";
  return (
    <ComboField
      label={label}
      fault={fault}
      shown={present}
      chosen={chosen}
      typed={typed}
      onType={setTyped}
      options={found.slice(0, shownMax)}
      onChoose={onChoose}
      message={found.length === 0 ? words("nothingFound") : undefined}
      placeholder={t("grant.choose")}
    />
  );
}
