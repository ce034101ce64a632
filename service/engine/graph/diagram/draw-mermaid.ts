import { showInvisible } from '../../../../generator/text/show-invisible.ts';
import type { CompiledGraph } from '../compiled-graph.ts';
import { edgeCaption, nodeCaption, nodeMarks } from './captions.ts';

/** Draws a flow as a Mermaid flowchart. Names and conditions are escaped: they cannot end a label, open a tag or start a directive. */
export function drawMermaid(graph: CompiledGraph): string {
  const names = new Map(graph.nodes.map(({ id }, index) => [id, `n${index}`]));
  const nodes = graph.nodes.map((node) => {
    const marks = nodeMarks(graph, node);
    const label = `"${nodeCaption(node).map(escape).join('<br/>')}"`;
    const shape = marks.includes('entry') || marks.includes('terminal') ? `([${label}])` : `[${label}]`;
    return `  ${names.get(node.id)}${shape}${marks.includes('mocked') ? ':::mocked' : ''}`;
  });
  const edges = graph.edges.map((edge) => {
    const caption = edgeCaption(edge);
    const label = caption === undefined ? '' : `|"${escape(caption)}"|`;
    return `  ${names.get(edge.from)} -->${label} ${names.get(edge.to)}`;
  });
  const classes = graph.mockedNodes.length > 0 ? ['  classDef mocked stroke-dasharray: 5 4'] : [];
  const title = ['---', `title: ${JSON.stringify(showInvisible(graph.name))}`, '---'];
  return `${[...title, 'flowchart TD', ...nodes, ...edges, ...classes].join('\n')}\n`;
}

/** Replaces every character except letters, digits and a few signs with its Mermaid entity. */
function escape(text: string): string {
  return showInvisible(text).replaceAll(
    /[^\p{L}\p{N} ._\-/]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
