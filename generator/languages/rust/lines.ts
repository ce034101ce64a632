import { stringLiteral } from './literals.ts';

/** Columns of a line, rustfmt's default. */
const lineWidth = 100;

/** Columns that the arguments of a call, or a chain of calls, may take on one line. */
const mostOnOneLine = 60;

/** Prints ` pub name: Type,`, with the type on its own line if both do not fit. */
export function printField(name: string, type: string): string {
  const flat = `    pub ${name}: ${type},`;
  return flat.length <= lineWidth ? flat : `    pub ${name}:\n        ${type},`;
}

/** Prints a variant with a value. */
export function printVariant(name: string, type: string): string {
  const flat = `    ${name}(${type}),`;
  return flat.length <= lineWidth ? flat : `    ${name}(\n        ${type},\n    ),`;
}

/** Prints a string constant of a module. */
export function printText(name: string, text: string): string {
  const literal = stringLiteral(text);
  const flat = `const ${name}: &str = ${literal};`;
  const below = `    ${literal};`;
  return flat.length <= lineWidth || below.length > lineWidth ? flat : `const ${name}: &str =\n${below}`;
}

/** Prints an associated constant. */
export function printConstant(name: string, type: string, value: string): string {
  const head = `    pub const ${name}: ${type} =`;
  const flat = `${head} ${value};`;
  return flat.length <= lineWidth ? flat : `${head}\n        ${value};`;
}

/** Prints the head of a method, up to its opening brace. */
export function printSignature(name: string, parameters: readonly string[], output: string): string {
  const flat = `    pub fn ${name}(${parameters.join(', ')}) -> ${output} {`;
  if (flat.length <= lineWidth) return flat;
  const end = `    ) -> ${output}`;
  // Four columns after the type stay free.
  const brace = end.length + ' {'.length <= lineWidth - 4 ? ' {' : '\n    {';
  // A type may exceed the line by two columns.
  const fits = end.length <= lineWidth + 2;
  return [
    `    pub fn ${name}(`,
    ...parameters.map(printParameter),
    fits ? end + brace : `    ) -> ${printArguments(output, 4)} {`,
  ].join('\n');
}

/** Maximum columns of a tuple that rustfmt leaves on one line, as measured. */
const longestTuple = 62;

/** Prints a parameter on its own line. rustfmt breaks the wide tuple of a map's entries. */
function printParameter(parameter: string): string {
  const [tuple = '', entry = ''] = /\((.*)\)/.exec(parameter) ?? [];
  if (tuple.length <= longestTuple) return `        ${parameter},`;
  const items = argumentsOf(entry).map((item) => `                ${item},\n`);
  const [start] = parameter.split('Item = ');
  return `        ${start}\n            Item = (\n${items.join('')}            ),\n        >,`;
}

/** Prints a type with each of its arguments on its own line. */
function printArguments(type: string, margin: number): string {
  const start = type.indexOf('<') + 1;
  const inner = ' '.repeat(margin + 4);
  const lines = argumentsOf(type.slice(start, -1)).map((argument) => {
    const fits = `${inner}${argument},`.length <= lineWidth || !argument.includes('<');
    return `${inner}${fits ? argument : printArguments(argument, margin + 4)},\n`;
  });
  return `${type.slice(0, start)}\n${lines.join('')}${' '.repeat(margin)}>`;
}

/** Splits a list of types at the commas outside brackets. */
function argumentsOf(types: string): string[] {
  let depth = 0;
  const parts = Array.from(types, (character) => {
    if (character === '<') depth += 1;
    if (character === '>') depth -= 1;
    return character === ',' && depth === 0 ? '\n' : character;
  });
  return parts
    .join('')
    .split('\n')
    .map((part) => part.trim());
}

/** Prints a call as the last expression of a method. */
export function printBody(callee: string, args: readonly string[]): string {
  const inside = args.join(', ');
  const flat = `        ${callee}(${inside})`;
  const fits = flat.length <= lineWidth && (args.length === 1 || inside.length <= mostOnOneLine);
  return fits ? flat : `        ${callee}(\n${args.map((arg) => `            ${arg},\n`).join('')}        )`;
}

/** Prints an assignment in a method. */
export function printAssignment(target: string, value: string): string {
  const flat = `        ${target} = ${value};`;
  return flat.length <= lineWidth ? flat : `        ${target} =\n            ${value};`;
}

/** Sets a oneof to one of its cases. */
export function printCase(field: string, variant: string, given: string): string {
  const value = `${variant}(${given})`;
  const flat = `        self.${field} = Some(${value});`;
  if (flat.length <= lineWidth && value.length <= mostOnOneLine) return flat;
  return `${printLet('case', variant, given)}\n        self.${field} = Some(case);`;
}

function printLet(name: string, variant: string, given: string): string {
  const flat = `        let ${name} = ${variant}(${given});`;
  if (flat.length <= lineWidth) return flat;
  const below = `            ${variant}(${given});`;
  if (below.length <= lineWidth) return `        let ${name} =\n${below}`;
  const broken = `        let ${name} = ${variant}(`;
  if (broken.length <= lineWidth) return `${broken}\n            ${given},\n        );`;
  const deeper = `            ${variant}(`;
  if (deeper.length > lineWidth) return flat;
  return `        let ${name} =\n${deeper}\n                ${given},\n            );`;
}

/** A value that is created by a call and changed by further calls: `messages::Word::new().with_text("ship")`. */
export interface Chain {
  root: string;
  /** Calls without their dots. */
  links: string[];
}

/**
 * Prints a chain within a function: on one line, or with each link on its own line.
 *
 * @param before Text before the chain, after the margin: `let input = `, or nothing.
 * @param after Text after it: `;`, `,`, or nothing.
 * @param margin Spaces before it, four by default.
 */
export function printChain({ root, links }: Chain, before: string, after: string, margin = '    '): string {
  const chain = [root, ...links].join('.');
  const flat = `${margin}${before}${chain}${after}`;
  if (flat.length <= lineWidth && (links.length < 2 || chain.length <= mostOnOneLine)) return flat;
  const below = `${margin}    ${chain}${after}`;
  const start = before.trimEnd();
  if (links.length < 2 && start !== '' && below.length <= lineWidth) return `${margin}${start}\n${below}`;
  const first = `${margin}${before}${root}`;
  // One column after the root stays free.
  if (first.length < lineWidth || start === '')
    return [first, ...links.map((link) => `${margin}    .${link}`)].join('\n') + after;
  return (
    [`${margin}${start}`, `${margin}    ${root}`, ...links.map((link) => `${margin}        .${link}`)].join(
      '\n',
    ) + after
  );
}

/** Prints several values created by chains, as an array in a variable. */
export function printArray(variable: string, values: readonly Chain[]): string {
  const inside = values.map(({ root, links }) => [root, ...links].join('.')).join(', ');
  if (inside.length <= mostOnOneLine) return `    let ${variable} = [${inside}];`;
  const lines = values.map((value) => printChain(value, '', ',', '        '));
  return [`    let ${variable} = [`, ...lines, '    ];'].join('\n');
}

/** Reports whether a link fits on its own line, at any depth of the chain. */
export function fitsAsLink(link: string): boolean {
  return `            .${link};`.length <= lineWidth;
}

/** Reports whether an argument that is itself a call stays on the line of its call. */
export function fitsAsArgument(argument: string): boolean {
  return argument.length <= mostOnOneLine;
}

/** Prints `let output = client.name(&input).await?;`. */
export function printAwait(call: string, variable = 'output'): string {
  const chain = `client.${call}.await?`;
  if (chain.length < mostOnOneLine) return `    let ${variable} = ${chain};`;
  return `    let ${variable} = client\n        .${call}\n        .await?;`;
}

/** Calls a method that streams, and prints each output as `printed`. */
export function printLoop(call: string, printed: string): string {
  return [
    printChain({ root: 'client', links: [call] }, 'let mut outputs = ', ';'),
    '    while let Some(output) = outputs.next().await {',
    `        println!(${printed});`,
    '    }',
  ].join('\n');
}

/** Prints `use acme_text::{Client, messages};`, with the names in ASCII order. */
export function printUse(crate: string, names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort();
  if (sorted.length === 1) return `use ${crate}::${sorted[0] ?? ''};`;
  const flat = `use ${crate}::{${sorted.join(', ')}};`;
  // Two columns after the list stay free.
  return flat.length <= lineWidth - 2 ? flat : `use ${crate}::{\n    ${sorted.join(', ')},\n};`;
}
