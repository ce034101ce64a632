import type { Expression, Measured } from './layout.ts';
import { continuation, fits, lineWidth, measured, newLine, print, widthOf } from './layout.ts';

/** Returns a statement that assigns or declares: `Word input = ...;`. Breaks first after the equals sign. */
export function assignment(left: string, right: Expression | Measured, indent: number): string {
  return assigned(left, measured(right), indent);
}

function assigned(left: string, right: Measured, indent: number): string {
  const column = indent + left.length + ' = '.length;
  if (fits(right.flat, { indent, column, after: 1 })) return `${left} = ${right.flat};`;
  const inner = indent + continuation;
  return `${left} =${newLine(inner)}${print(right, { indent: inner, column: inner, after: 1 })};`;
}

/** Returns a field declaration, whose name moves to its own line if the type leaves no room for it. */
export function declaration(
  type: string,
  name: string,
  value: Expression | undefined,
  indent: number,
): string {
  const left = `${type} ${name}`;
  const right = value === undefined ? undefined : measured(value);
  const whole = right === undefined ? `${left};` : `${left} = ${right.flat};`;
  if (indent + widthOf(whole) <= lineWidth) return whole;
  if (indent + widthOf(`${left} =`) <= lineWidth && right !== undefined) return assigned(left, right, indent);
  const inner = indent + continuation;
  const rest = right === undefined ? `${name};` : assigned(name, right, inner);
  return type + newLine(inner) + rest;
}

/** Returns the head of a `try` statement that closes a resource. */
export function resourceHead(left: string, right: Expression, indent: number): string {
  const value = measured(right);
  const whole = `try (${left} = ${value.flat}) {`;
  if (indent + widthOf(whole) <= lineWidth) return whole;
  const inner = indent + continuation;
  return `try (${left} =${newLine(inner)}${print(value, { indent: inner, column: inner, after: 3 })}) {`;
}

/** Returns a statement that is a call, optionally preceded by `before`: `return connection.callNode(...);`. */
export function statement(call: Expression | Measured, indent: number, before = ''): string {
  return `${before}${print(measured(call), { indent, column: indent + before.length, after: 1 })};`;
}

/**
 * Returns the head of a method, constructor or record: parameters that do not fit move to the next line, or to one line
 * each; the name moves to the next line if the type leaves no room for it.
 *
 * @param type modifiers and result; empty for none.
 */
export function methodHead(
  type: string,
  name: string,
  parameters: readonly string[],
  indent: number,
  end = ' {',
): string {
  const left = type === '' ? name : `${type} ${name}`;
  const whole = `${left}(${parameters.join(', ')})${end}`;
  if (indent + widthOf(whole) <= lineWidth) return whole;
  const hasRoom = parameters.length > 0 && indent + widthOf(left) + 1 <= lineWidth;
  if (hasRoom || type === '') return `${left}(${brokenParameters(parameters, indent + continuation, end)}`;
  const inner = indent + continuation;
  const rest = `${name}(${parameters.join(', ')})${end}`;
  const moved =
    inner + widthOf(rest) <= lineWidth
      ? rest
      : `${name}(${brokenParameters(parameters, inner + continuation, end)}`;
  return brokenType(type, indent, inner + continuation) + newLine(inner) + moved;
}

/** Returns the head of a test that may throw an `IOException`, which moves to the next line if it does not fit. */
export function testHead(name: string, indent: number): string {
  const left = `void ${name}()`;
  const right = 'throws IOException {';
  const whole = `${left} ${right}`;
  return indent + widthOf(whole) <= lineWidth ? whole : left + newLine(indent + continuation) + right;
}

/** Breaks a type that does not fit after its brackets, starting with the first, and then between its parameters. */
function brokenType(type: string, indent: number, inner: number): string {
  if (indent + widthOf(type) <= lineWidth) return type;
  const bracket = type.indexOf('<') + 1;
  if (bracket === 0) return type.split(', ').join(`,${newLine(indent)}`);
  const rest = brokenType(type.slice(bracket), inner, inner + continuation);
  return type.slice(0, bracket) + newLine(inner) + rest;
}

/** Returns the head of a type that implements an interface, which moves to the next line if it does not fit. */
export function typeHead(left: string, implemented: string, indent: number, end = ' {'): string {
  const right = `implements ${implemented}${end}`;
  const whole = `${left} ${right}`;
  return !left.includes('\n') && indent + widthOf(whole) <= lineWidth
    ? whole
    : left + newLine(indent + continuation) + right;
}

/** Returns the statement of `equals` after the type test, which moves to the next line if it does not fit. */
export function equality(typeName: string, condition: string, indent: number): string {
  const left = `return other instanceof ${typeName} that`;
  const whole = `${left} && ${condition};`;
  return indent + widthOf(whole) <= lineWidth
    ? whole
    : `${left}${newLine(indent + continuation)}&& ${condition};`;
}

function brokenParameters(parameters: readonly string[], indent: number, end: string): string {
  const together = `${parameters.join(', ')})${end}`;
  if (indent + widthOf(together) <= lineWidth) return newLine(indent) + together;
  return parameters
    .map((parameter, index) => {
      const behind = index === parameters.length - 1 ? `)${end}` : ',';
      return newLine(indent) + brokenParameter(parameter + behind, indent);
    })
    .join('');
}

/** `Type name`, on two lines if necessary. */
function brokenParameter(text: string, indent: number): string {
  if (indent + widthOf(text) <= lineWidth) return text;
  const split = text.search(/ \w+\)?( \{\}?|,)?$/);
  return `${text.slice(0, split)}${newLine(indent + continuation)}${text.slice(split + 1)}`;
}

/** Returns a directive of a module declaration that names a package: `exports svc.acme.text;`. */
export function directive(word: string, name: string, end: string, indent: number): string {
  const text = `${word} ${name}${end}`;
  if (indent + text.length <= lineWidth) return text;
  const [first = '', second = '', ...rest] = name.split('.');
  return `${word} ${[`${first}.${second}`, ...rest].join(`${newLine(indent + continuation)}.`)}${end}`;
}
