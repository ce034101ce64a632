import assert from 'node:assert/strict';
import { drawMermaid } from '../../../../../service/engine/graph/diagram/draw-mermaid.ts';
import { drawnGraph } from '../../../../support/drawn-graph.ts';

describe('a flow as Mermaid text', () => {
  it('has a line for each node and each edge', () => {
    const graph = drawnGraph(['a', 'end', 'c'], ['a>end:count > 1', 'a>c', 'end>c'], {
      mockedNodes: ['end'],
    });
    graph.nodes[1]!.mock = { error: 'x' };
    assert.equal(
      drawMermaid(graph),
      [
        '---',
        'title: "Drawn"',
        '---',
        'flowchart TD',
        '  n0(["a<br/>Step<br/>acme/steps 1.0.0"])',
        '  n1["end<br/>Step<br/>acme/steps 1.0.0"]:::mocked',
        '  n2(["c<br/>Step<br/>acme/steps 1.0.0"])',
        '  n0 -->|"count #62; 1"| n1',
        '  n0 --> n2',
        '  n1 --> n2',
        '  classDef mocked stroke-dasharray: 5 4',
        '',
      ].join('\n'),
    );
  });

  it('escapes text that would end a label, start a directive or break the line', () => {
    const text = drawMermaid(
      drawnGraph(['a', 'b'], [`a>b:"| %%{init}%% ]\n#quot;<b>;\`\u202e`], { name: 'a\n---\n"b' }),
    );
    const lines = text.split('\n');
    assert.equal(lines[1], 'title: "a\\n---\\n\\"b"');
    assert.equal(lines.length, 8);
    assert.equal(
      lines[6],
      '  n0 -->|"#34;#124; #37;#37;#123;init#125;#37;#37; #93; #35;quot#59;#60;b#62;#59;#96;#91;U#43;202E#93;"| n1',
    );
  });
});
