import { memo } from "react";
import type { NavigationResource } from "../shell/navigation.ts";
import { resourcePath } from "../shell/resource-path.ts";
import { Table2, TableProperties } from "../ui/icons.generated.ts";
import { SidebarGroup } from "./sidebar-group.tsx";
import { SidebarLink } from "./sidebar-link.tsx";

interface SchemaGroupProps {
  readonly schema: string;
  readonly resources: readonly NavigationResource[];
  readonly isOpen: boolean;
  readonly onToggle: (schema: string) => void;
  /** The address of the open page, if one of these tables is open. */
  readonly here: string | undefined;
}

/** The tables and views of a schema, under a heading that folds them away. */
export const SchemaGroup = memo(function SchemaGroup(props: SchemaGroupProps) {
  const { schema, resources, isOpen, onToggle, here } = props;
  return (
    <SidebarGroup title={schema} isOpen={isOpen} onToggle={() => onToggle(schema)}>
      {resources.map((resource) => {
        const href = resourcePath(resource);
        return (
          <li key={resource.id} className="min-w-0">
            <SidebarLink
              href={href}
              icon={resource.kind === "VIEW" ? TableProperties : Table2}
              label={resource.label ?? resource.name}
              isHere={href === here}
              isName
            />
          </li>
        );
      })}
    </SidebarGroup>
  );
});
