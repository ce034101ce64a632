import assert from 'node:assert/strict';
import ts from 'typescript';
import { planNames } from '../../../../generator/languages/typescript/names.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { callNames, printedFiles, renderedFixtures } from './rendered-fixtures.ts';
import type { RenderedFixture } from './rendered-fixtures.ts';

const { SyntaxKind } = ts;

/** The only syntax kinds in a table, which calls nothing but codecs of the runtime. */
const tableKinds = new Set([
  SyntaxKind.ObjectLiteralExpression,
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.PropertyAssignment,
  SyntaxKind.PropertyAccessExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.EqualsGreaterThanToken,
  SyntaxKind.Identifier,
  SyntaxKind.StringLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.PrefixUnaryExpression,
  SyntaxKind.ComputedPropertyName,
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.TypeReference,
  SyntaxKind.CallExpression,
]);

/** Functions of the runtime that tables call. */
const codecs: ReadonlySet<string> = new Set([
  'enumOf',
  'listOf',
  'mapOf',
  'messageOf',
  'oneofOf',
  'optional',
]);

describe('hostile text in the TypeScript SDK', () => {
  let fixtures: RenderedFixture[];

  before(async function () {
    this.timeout(180_000);
    fixtures = await renderedFixtures();
  });

  itSlow('adds no declaration to the messages, and no call except of codecs', () => {
    for (const fixture of fixtures) {
      const { messages, enums } = fixture.model.types;
      const statements = parse(fixture, 'src/messages.ts').filter((each) => !ts.isImportDeclaration(each));
      const declared = statements.filter((each) => !ts.isExportDeclaration(each));
      assert.equal(declared.length, 2 * (messages.length + enums.length), fixture.name);
      for (const statement of declared) {
        if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
        assert.ok(ts.isVariableStatement(statement), fixture.name);
        const [declaration] = statement.declarationList.declarations;
        forEachNode(declaration!.initializer!, (node) => {
          assert.ok(tableKinds.has(node.kind), `${fixture.name}: ${SyntaxKind[node.kind]}`);
          if (ts.isCallExpression(node)) assert.ok(codecs.has(node.expression.getText()), node.getText());
        });
      }
    }
  });

  itSlow('adds no function or statement to the operations', () => {
    for (const fixture of fixtures) {
      const functions = parse(fixture, 'src/operations.ts').filter(ts.isFunctionDeclaration);
      assert.equal(functions.length, callNames(planNames(fixture.model)).length, fixture.name);
      for (const { body } of functions) {
        assert.equal(body?.statements.length, 1, fixture.name);
        assert.match(
          body.statements[0]!.getText(),
          /^return (createStream|invokeNode|openLive|runFlow|startFlow|streamFlow|streamNode|uploadToNode|warmFlow|new Execution|new SplitStream)\(/,
        );
      }
      const others = parse(fixture, 'src/operations.ts').filter((each) => !ts.isFunctionDeclaration(each));
      const tables = others.filter(ts.isVariableStatement);
      const { flows, streams } = planNames(fixture.model);
      assert.equal(tables.length, flows.size + streams.size, fixture.name);
      for (const { declarationList } of tables) {
        const [declaration] = declarationList.declarations;
        forEachNode(declaration!.initializer!, (node) => {
          assert.ok(tableKinds.has(node.kind), `${fixture.name}: ${SyntaxKind[node.kind]}`);
          if (ts.isCallExpression(node)) assert.ok(codecs.has(node.expression.getText()), node.getText());
        });
      }
      assert.ok(
        others.every(
          (each) =>
            ts.isImportDeclaration(each) || ts.isExportDeclaration(each) || ts.isVariableStatement(each),
        ),
      );
    }
  });

  itSlow('adds no member to the client', () => {
    for (const fixture of fixtures) {
      const [client, ...rest] = parse(fixture, 'src/client.ts').filter(
        (each) => !ts.isImportDeclaration(each),
      );
      assert.ok(client && ts.isClassDeclaration(client) && rest.length === 0, fixture.name);
      // The connection, the constructor, and the methods for any run and for all pauses.
      assert.equal(client.members.length, 4 + callNames(planNames(fixture.model)).length, fixture.name);
    }
  });

  itSlow('adds no statement to the examples', () => {
    for (const fixture of fixtures) {
      const examples = [...fixture.files.keys()].filter((file) => file.startsWith('examples/'));
      assert.equal(examples.length, fixture.model.members.length, fixture.name);
      for (const file of examples)
        assert.deepEqual(
          parse(fixture, file).map(({ kind }) => kind),
          [SyntaxKind.ImportDeclaration, SyntaxKind.FirstStatement, SyntaxKind.TryStatement],
          `${fixture.name}/${file}`,
        );
    }
  });

  itSlow('adds no compiler directive and no comment tag except @deprecated', () => {
    for (const fixture of fixtures)
      for (const [file, text] of sourcesOf(fixture)) {
        const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
        const { commentDirectives = [] } = source as { commentDirectives?: unknown[] };
        assert.equal(commentDirectives.length, 0, `${fixture.name}/${file}`);
        assert.equal(source.referencedFiles.length + source.typeReferenceDirectives.length, 0);
        forEachNode(source, (node) => {
          for (const tag of ts.getJSDocTags(node))
            assert.equal(tag.tagName.text, 'deprecated', `${fixture.name}/${file}`);
        });
      }
  });

  itSlow('does not change which symbols are deprecated', () => {
    for (const fixture of fixtures) {
      const { messages, enums } = fixture.model.types;
      const fields = messages.flatMap((message) => message.fields.filter(({ oneof }) => oneof === undefined));
      const marked = [...messages, ...enums, ...fields, ...enums.flatMap(({ values }) => values)].filter(
        ({ deprecated }) => deprecated,
      );
      const text = fixture.files.get('src/messages.ts') ?? '';
      assert.equal(
        text.match(/(?:^|\n) *(?:\/\*\*| \*) @deprecated/g)?.length ?? 0,
        marked.length,
        fixture.name,
      );
    }
  });

  itSlow('adds no invisible characters', () => {
    const invisible =
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
    for (const fixture of fixtures)
      for (const [file, text] of readByPeople(fixture))
        assert.doesNotMatch(text, invisible, `${fixture.name}/${file}`);
  });
});

/** Returns all files except those that only programs read. */
function readByPeople(fixture: RenderedFixture): [string, string][] {
  return printedFiles(fixture).filter(([file]) => file !== 'MANIFEST.json');
}

function sourcesOf(fixture: RenderedFixture): [string, string][] {
  return printedFiles(fixture).filter(([file]) => /\.[jt]s$/.test(file));
}

function parse(fixture: RenderedFixture, file: string): ts.Statement[] {
  const text = fixture.files.get(file);
  assert.ok(text !== undefined, `${fixture.name} has no ${file}`);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const { parseDiagnostics = [] } = source as { parseDiagnostics?: ts.Diagnostic[] };
  assert.equal(parseDiagnostics.length, 0, `${fixture.name}/${file}`);
  return [...source.statements];
}

function forEachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => forEachNode(child, visit));
}
