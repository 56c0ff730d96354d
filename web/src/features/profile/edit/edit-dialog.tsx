// 'Edit Profile': four tabs of one form, saved by two requests (specification, sections 2, 5, 7 and 8).
import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider, useForm } from 'react-hook-form';
import { ApiError } from '@/api/error';
import type { ProfileView } from '@/api/schema.gen';
import { setFormDefaults } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { ErrorPanel } from '@/ui/error-panel';
import { SubmitDialog } from '@/ui/submit-dialog';
import { TabPanel, Tabs } from '@/ui/tabs';
import { showError } from '@/ui/toast';
import { type EditTab, editTabs } from '../edit-tabs';
import { BasicFields } from './basic-fields';
import { EducationFields } from './education-fields';
import { ExperienceFields } from './experience-fields';
import { formOf, type ProfileForm, profileSchemaFor, skillsAtMost, withSkill } from './form';
import { firstError, type Place, showServerErrors } from './form-errors';
import { SaveError } from './save';
import { SkillsField } from './skills-field';
import { useSave } from './use-save';

setFormDefaults();

interface EditDialogProps {
  view: ProfileView;
  startTab: EditTab;
  open: boolean;
  onClose: () => void;
}

export function EditDialog({ view, startTab, open, onClose }: EditDialogProps) {
  const { t } = useTranslation(['profile', 'shell']);
  const [tab, setTab] = useState(startTab);
  const [skill, setSkill] = useState('');
  const [refusal, setRefusal] = useState<{ title: string; sentence: string } | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const form = useForm<ProfileForm>({
    resolver: zodResolver(profileSchemaFor(view)),
    defaultValues: formOf(view),
    // The first invalid field may be on another tab, which is opened first.
    shouldFocusError: false,
  });
  const { isDirty, isSubmitting } = form.formState;
  const save = useSave(view, form);

  const showField = ({ tab: where, field }: Place) => {
    flushSync(() => setTab(where));
    form.setFocus(field);
  };

  const submit = form.handleSubmit(
    async (values) => {
      setRefusal(null);
      // Adds the skill that is typed but not yet added, as Enter does.
      const skills = values.skills.length < skillsAtMost ? withSkill(values.skills, skill) : values.skills;
      try {
        await save({ ...values, skills });
        onClose();
      } catch (error) {
        if (!(error instanceof SaveError)) throw error;
        const title = t(error.part === 'user' ? 'save.userFailed' : 'save.profileFailed');
        showError(t('save.failed', { message: title }));
        // Shows the reason, for which the toast has no room; the input stays.
        const { cause } = error;
        flushSync(() => setRefusal(cause instanceof ApiError ? { title, sentence: cause.message } : null));
        const place = showServerErrors(cause, form.setError);
        if (place) showField(place);
        else panel.current?.scrollIntoView({ block: 'nearest' });
      }
    },
    (errors) => {
      const place = firstError(errors);
      if (place) showField(place);
    },
  );

  return (
    <FormProvider {...form}>
      <SubmitDialog
        open={open}
        onClose={onClose}
        dirty={isDirty || skill.trim() !== ''}
        busy={isSubmitting}
        title={t('edit')}
        width="lg"
        footerLine
        send={t('shell:save')}
        sending={t('saving')}
        onSubmit={submit}
        // The tabs at the top would cover the first refused field.
        className="[&_:is(input,textarea,select)]:scroll-mt-20"
      >
        {refusal && (
          <div ref={panel} className="mb-3">
            <ErrorPanel title={refusal.title}>{refusal.sentence}</ErrorPanel>
          </div>
        )}
        <Tabs
          tabs={editTabs.map((value) => ({ value, label: t(`editTab.${value}`) }))}
          value={tab}
          onChange={setTab}
          label={t('editTabs')}
          className="sticky -top-1 z-1 -mx-5 bg-popover px-5 [--outdent:0px] md:-mx-6 md:px-6"
        >
          <TabPanel value="basic" tabIndex={-1}>
            <BasicFields user={view.user} />
          </TabPanel>
          <TabPanel value="experience" tabIndex={-1}>
            <ExperienceFields />
          </TabPanel>
          <TabPanel value="education" tabIndex={-1}>
            <EducationFields />
          </TabPanel>
          <TabPanel value="skills" tabIndex={-1}>
            <SkillsField typed={skill} onTyped={setSkill} />
          </TabPanel>
        </Tabs>
      </SubmitDialog>
    </FormProvider>
  );
}
