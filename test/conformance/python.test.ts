import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/python.ts';

conformanceOf(conformanceLanguage);
