import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { PersonPicker } from "../../shell/person-picker.tsx";
import { rolesQuery } from "../../shell/roles-query.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { ViewAsSearch } from "./view-as-search.ts";

interface ViewAsFormProps {
  readonly search: ViewAsSearch;
  readonly onShow: (search: ViewAsSearch) => void;
}

/** Whom one wants to see as, and which request. */
export function ViewAsForm({ search, onShow }: ViewAsFormProps) {
  const t = useTranslations("access");
  const [kind, setKind] = useState<"person" | "roles">(
    search.roles === undefined ? "person" : "roles",
  );
  const [user, setUser] = useState(search.user);
  const [chosen, choose] = useState<ReadonlySet<string>>(
    () => new Set((search.roles ?? "").split(",").filter((id) => id !== "")),
  );
  const [path, setPath] = useState(search.path ?? "");
  const [isTried, setTried] = useState(false);
  const { data: roles = [] } = useQuery(rolesQuery);
  const isReady = kind === "person" ? user !== undefined : chosen.size > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isReady) return;
    onShow({
      user: kind === "person" ? user : undefined,
      roles: kind === "roles" ? [...chosen].join(",") : undefined,
      path: path === "" ? undefined : path,
    });
  };
  return (
    <form className="grid max-w-200 gap-4" onSubmit={submit}>
      <div>
        <Select
          label={t("viewAs.seeAs")}
          value={kind}
          options={[
            { value: "person", label: t("viewAs.person") },
            { value: "roles", label: t("viewAs.roles") },
          ]}
          onChange={setKind}
        />
      </div>
      {kind === "person" ? (
        <PersonPicker
          userId={user}
          onChoose={setUser}
          fault={isTried && !isReady ? t("explain.missing") : undefined}
        />
      ) : (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 font-medium">{t("viewAs.roles")}</legend>
          <ul className="grid max-h-60 gap-x-4 overflow-auto rounded-control border border-line px-3 py-2 sm:grid-cols-2">
            {roles.map(({ id, name }) => (
              <li key={id} dir="auto" className="min-w-0 truncate" title={name}>
                <Checkbox
                  label={name}
                  isChecked={chosen.has(id)}
                  onChange={(isChosen) =>
                    choose((last) => {
                      const others = [...last].filter((one) => one !== id);
                      return new Set(isChosen ? [...others, id] : others);
                    })
                  }
                />
              </li>
            ))}
          </ul>
          <p className={isTried && !isReady ? "text-2 text-danger" : "text-2 text-ink-2"}>
            {isTried && !isReady ? t("explain.missing") : t("viewAs.rolesHint")}
          </p>
        </fieldset>
      )}
      <TextField
        label={t("viewAs.path")}
        name="path"
        autoComplete="off"
        value={path}
        onChange={setPath}
        hint={t("viewAs.pathHint")}
      />
      <div>
        <Button type="submit" kind="primary">
          {t("viewAs.show")}
        </Button>
      </div>
    </form>
  );
}
