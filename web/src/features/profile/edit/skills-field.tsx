// The Skills tab: Enter adds a skill, the button of a chip removes it.
import { X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { TextField } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { type ProfileForm, skillLength, skillsAtMost, withSkill } from './form';

interface SkillsFieldProps {
  /** The text that is not added yet; state of the dialog, which asks before it is discarded. */
  typed: string;
  onTyped: (typed: string) => void;
}

export function SkillsField({ typed, onTyped }: SkillsFieldProps) {
  const { t } = useTranslation('profile');
  const formText = useFormText();
  const { formState, watch, setValue, clearErrors } = useFormContext<ProfileForm>();
  const input = useRef<HTMLInputElement>(null);
  const skills = watch('skills');
  const isFull = skills.length >= skillsAtMost;
  const change = (next: string[]) => {
    clearErrors('skills');
    setValue('skills', next, { shouldDirty: true });
  };

  const add = () => {
    if (isFull) return;
    change(withSkill(skills, typed));
    onTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a word of an input method.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };

  return (
    <div className="mt-5 pb-5">
      <TextField
        ref={input}
        label={t('skill.add')}
        hint={t('skill.hint')}
        error={
          formText(messageIn(formState.errors.skills)) ??
          (isFull ? t('skill.full', { count: skillsAtMost }) : undefined)
        }
        maxLength={skillLength}
        enterKeyHint="done"
        autoComplete="off"
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <ul className="mt-4 flex flex-wrap gap-2" aria-label={t('skillList')}>
        {skills.map((skill, position) => (
          <li key={skill} className="chip h-auto! min-h-8 min-w-0 py-1 pr-1!">
            <span className="min-w-0 wrap-anywhere">{skill}</span>
            <IconButton
              icon={X}
              glyph="icon-sm"
              size="sm"
              className="size-6!"
              label={t('skill.remove', { skill })}
              onClick={() => {
                change(skills.toSpliced(position, 1));
                input.current?.focus();
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** About the whole list or one skill: `skills` or `skills[3]`. */
function messageIn(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  if ('message' in errors && typeof errors.message === 'string') return errors.message;
  return Object.values(errors).map(messageIn).find(Boolean);
}
