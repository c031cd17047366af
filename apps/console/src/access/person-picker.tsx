import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Combobox } from "../ui/combobox.tsx";
import { Field, inputClasses } from "../ui/field.tsx";

/** A person with their roles. */
export type Person = AdminOperations["GET /users/{id}"]["answer"]["data"];

interface PersonPickerProps {
  readonly id: string;
  readonly userId: string | undefined;
  readonly onChoose: (userId: string) => void;
  readonly fault?: string | undefined;
}

const shownMax = 20;

/** Loads a person; nothing without an id. */
export function usePerson(userId: string | undefined) {
  return useQuery({
    queryKey: ["access", "person", userId],
    enabled: userId !== undefined,
    queryFn: async ({ signal }): Promise<Person> =>
      (await client.admin.get("/users/{id}", { path: { id: userId ?? "" }, signal })).data,
  });
}

/** The name by which people know a person. */
export function personName({ name, email }: Pick<Person, "name" | "email">): string {
  return name === "" ? email : `${name} (${email})`;
}

/** Finds a person by a part of the name or address. */
export function PersonPicker({ id, userId, onChoose, fault }: PersonPickerProps) {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const [typed, setTyped] = useState<string | null>(null);
  const person = usePerson(userId);
  const search = typed ?? "";
  const found = useQuery({
    queryKey: ["access", "people", search],
    queryFn: async ({ signal }) => {
      const query = { limit: shownMax, ...(search === "" ? {} : { search }) };
      return (await client.admin.get("/users", { query, signal })).data;
    },
    placeholderData: (last) => last,
  });
  // The people of the last text stay until those of the present one arrive; Enter must not choose another person.
  const people = (found.data ?? []).filter((one) =>
    personName(one).toLowerCase().includes(search.toLowerCase()),
  );
  const present = person.data === undefined ? "" : personName(person.data);
  return (
    <Field id={id} label={t("person.label")} fault={fault}>
      <Combobox
        id={id}
        label={t("person.label")}
        text={typed ?? present}
        onText={setTyped}
        options={people.map((one) => ({ id: one.id, label: personName(one) }))}
        chosen={userId}
        onChoose={(chosen) => {
          setTyped(null);
          onChoose(chosen);
        }}
        onLeave={() => setTyped(null)}
        message={found.isFetched && people.length === 0 ? words("nothingFound") : undefined}
        placeholder={t("person.placeholder")}
        inputClassName={inputClasses}
        isInvalid={fault !== undefined}
        describedBy={fault === undefined ? undefined : `${id}-fault`}
      />
    </Field>
  );
}
