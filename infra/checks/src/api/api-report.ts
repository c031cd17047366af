import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

/** A package as its declarations describe it to a program that imports it. */
export type ApiPackage = {
  readonly name: string;
  /** The folder that has the declarations: `dist`. */
  readonly declarations: string;
  /** Paths below the package's name (`.`, `./openapi`) with the file of the declarations of each. */
  readonly entries: ReadonlyMap<string, string>;
};

/** Where a name is declared: in a file of the package, or in another package, from which it is passed on. */
type Place =
  | { readonly file: string; readonly name: string }
  | { readonly module: string; readonly name: string };

type Declarations = {
  /** The statements of each name that the file declares; overloads have several. */
  readonly own: ReadonlyMap<string, readonly ts.Statement[]>;
  /** Names that other files or packages declare, by their name in this file. */
  readonly imported: ReadonlyMap<string, Place>;
  /** Names that the file exports. */
  readonly exported: ReadonlyMap<string, Place>;
  readonly source: ts.SourceFile;
};

const printer = ts.createPrinter({ removeComments: true });

/**
 * Returns what the entries of a package export, names and signatures, and the declarations that these mention. It has no
 * comments. Declarations of generated files are left out: those files are checked in themselves.
 *
 * @throws Error for an export whose declaration is missing
 */
export function apiReport({ name, declarations, entries }: ApiPackage): string {
  const files = new Map<string, Declarations>();
  const read = (file: string) => {
    const known = files.get(file) ?? readDeclarations(file);
    files.set(file, known);
    return known;
  };
  const find = (place: Place): Place => {
    if ("module" in place) return place;
    const { own, imported, exported } = read(place.file);
    if (own.has(place.name)) return place;
    const next = imported.get(place.name) ?? exported.get(place.name);
    if (next === undefined) throw new Error(`${place.file} does not declare ${place.name}`);
    return find(next);
  };

  const printed = new Map<string, string>();
  const add = (place: Place): string => {
    if ("module" in place) return `export { ${place.name} } from "${place.module}";`;
    const path = relative(declarations, place.file).replaceAll("\\", "/");
    if (path.endsWith(".generated.d.ts")) return `// ${place.name} is generated: ${path}`;
    const key = `${path} ${place.name}`;
    const known = printed.get(key);
    if (known !== undefined) return known;
    const { own, imported, source } = read(place.file);
    const statements = own.get(place.name) ?? [];
    const text = statements
      .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, source))
      .join("\n");
    printed.set(key, text);
    for (const mentioned of statements.flatMap((each) => importTypesIn(place.file, each))) {
      if ("file" in mentioned) add(find(mentioned));
    }
    for (const mentioned of statements.flatMap(namesIn)) {
      if (own.has(mentioned)) add({ file: place.file, name: mentioned });
      const target = imported.get(mentioned);
      if (target !== undefined && "file" in target) add(find(target));
    }
    return text;
  };

  const parts: string[] = [];
  const shown = new Set<string>();
  for (const [path, file] of entries) {
    const lines = [...allExports(file, read)]
      .sort(([a], [b]) => compare(a, b))
      .map(([exported, place]) => {
        const target = find(place);
        const text = add(target);
        if ("file" in target) shown.add(`${relative(declarations, target.file)} ${target.name}`);
        const alias = target.name === exported ? "" : `// ${target.name} as ${exported}\n`;
        return `${alias}${text}`;
      });
    parts.push(section(join(name, path), lines));
  }
  const others = [...printed].filter(([key]) => !shown.has(key)).sort(([a], [b]) => compare(a, b));
  if (others.length > 0) {
    parts.push(
      section(
        "Not exported",
        others.map(([, text]) => text),
      ),
    );
  }
  const purpose = `This page has the names and signatures that \`${name}\` exports. \`npm run api\` writes it.`;
  return [`# API of ${name}`, purpose, ...parts].join("\n\n").concat("\n");
}

function section(title: string, blocks: readonly string[]): string {
  return `## ${title}\n\n\`\`\`ts\n${blocks.join("\n\n")}\n\`\`\``;
}

/** All exports of a file, with those of `export *`. */
function allExports(
  file: string,
  read: (file: string) => Declarations,
): ReadonlyMap<string, Place> {
  const all = new Map(read(file).exported);
  for (const place of read(file).exported.values()) {
    if (place.name !== "*" || !("file" in place)) continue;
    for (const [name, target] of allExports(place.file, read)) all.set(name, target);
  }
  for (const name of all.keys()) if (name.startsWith("* ")) all.delete(name);
  return all;
}

function readDeclarations(file: string): Declarations {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const own = new Map<string, ts.Statement[]>();
  const imported = new Map<string, Place>();
  const exported = new Map<string, Place>();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName = name } of bindings.elements) {
        imported.set(name.text, placeOf(file, statement.moduleSpecifier, propertyName.text));
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (exportClause === undefined && moduleSpecifier !== undefined) {
        const place = placeOf(file, moduleSpecifier, "*");
        exported.set(`* ${moduleSpecifier.getText()}`, place);
      }
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) continue;
      for (const { name, propertyName = name } of exportClause.elements) {
        const place = placeOf(file, moduleSpecifier, propertyName.text);
        exported.set(name.text, place);
      }
    } else {
      for (const name of declaredNames(statement)) {
        own.set(name, [...(own.get(name) ?? []), statement]);
        if (isExported(statement)) exported.set(name, { file, name });
      }
    }
  }
  return { own, imported, exported, source };
}

function placeOf(file: string, specifier: ts.Expression | undefined, name: string): Place {
  if (specifier === undefined) return { file, name };
  const module = ts.isStringLiteral(specifier) ? specifier.text : specifier.getText();
  if (!module.startsWith(".")) return { module, name };
  return { file: join(dirname(file), module.replace(/\.[tj]s$/, ".d.ts")), name };
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** The identifiers of a declaration that may name a type or a value; not the names of its members and parameters. */
function namesIn(statement: ts.Statement): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isOwnName = "name" in parent && parent.name === node;
      if (!isOwnName) names.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(statement, visit);
  return [...names];
}

/** The places of `import("./page.ts").Page` in a declaration. */
function importTypesIn(file: string, statement: ts.Statement): Place[] {
  const places: Place[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { qualifier } = node;
      const name = qualifier !== undefined && ts.isIdentifier(qualifier) ? qualifier.text : "";
      places.push(placeOf(file, node.argument.literal, name));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(statement, visit);
  return places;
}

/** By code units: the order must not depend on the language of the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
